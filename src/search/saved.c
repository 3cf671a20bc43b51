// SPDX-License-Identifier: Apache-2.0
// Opening a saved search: may this search go on from it? Whatever is in the file, the answer is a
// sentence or a search whose parts fit each other.
#include "search/saved.h"

#include "ir/ir.h"
#include "search/saved_file.h"

// --- what must be the same ---

// The text of the model, and where its leaves lie. Two hashes: a wrong "the same" would be a wrong
// verdict.
static void hash_model(const struct ir_model *m, uint64_t hash[2]) {
  struct text t = {0};
  const struct ir_layout *l = m->layout;
  ir_print_meaning(&t, m);
  for (uint64_t i = 0; i < l->count; i++)
    text_printf(&t, "%u.%u.%u.%d ", l->leaf[i].word, l->leaf[i].shift, l->leaf[i].width,
                l->leaf[i].undef);
  hash[0] = hash_bytes(t.data, t.count, 1);
  hash[1] = hash_bytes(t.data, t.count, hash[0]);
  text_clear(&t);
}

static const char *bounding_name(enum search_bounding b) {
  return b == BOUNDING_DEPTH ? "depth" : "threshold";
}

static const char *frontier_name(enum search_frontier f) {
  static const char *const names[] = {
      [FRONTIER_TREE] = "tree", [FRONTIER_TRACES] = "traces", [FRONTIER_STATES] = "states"};
  return names[f];
}

static const char *meaning_of(const struct search_config *c) {
  return c->meaning ? c->meaning : "";
}

// Bits of a fingerprint; 0: states are not hashed.
static uint32_t hash_bits(const struct search_config *c) {
  if (strcmp(c->store, "fingerprint") != 0) return 0;
  return c->hash_bits ? c->hash_bits : 64;
}

static void put_string(struct saved_out *o, const char *s) {
  saved_put64(o, strlen(s));
  saved_put(o, s, strlen(s));
}

void saved_put_head(struct saved_out *o, const struct search_config *c) {
  uint64_t model[2];
  hash_model(c->model, model);
  saved_put32(o, SAVED_VERSION);
  saved_put64s(o, model, 2);
  put_string(o, c->store);
  saved_put32(o, hash_bits(c));
  put_string(o, bounding_name(c->bounding));
  put_string(o, frontier_name(c->frontier));
  put_string(o, meaning_of(c));
  saved_put32(o, c->model->layout->words);
  saved_put32(o, c->model->layout->bytes);
}

// --- is it? ---

#define ANEW "start again without --resume"

static bool refuse(struct text *why, const char *sentence) {
  text_add(why, sentence);
  return false;
}

static bool damaged(struct text *why) { return refuse(why, "the file is damaged; " ANEW); }

static bool differs(struct text *why, const char *option, const char *then, const char *now) {
  text_printf(why, "it was saved with %s%s, and now it is %s%s; ask for the same, or " ANEW, option,
              then, option, now);
  return false;
}

// A string that should be the same as `now`.
static bool check_string(struct saved_in *in, const char *option, const char *now,
                         struct text *why) {
  size_t count = saved_get_count(in, 1);
  char *then = mem_alloc(count + 1);
  saved_get(in, then, count);
  then[count] = '\0';
  bool same = in->failed ? damaged(why) : strcmp(then, now) == 0 || differs(why, option, then, now);
  mem_free(then);
  return same;
}

static bool check_hash_bits(struct saved_in *in, const struct search_config *c, struct text *why) {
  uint32_t then = saved_get32(in), now = hash_bits(c);
  if (in->failed) return damaged(why);
  if (then == now) return true;
  struct text a = {0}, b = {0};
  text_printf(&a, "%u", then);
  text_printf(&b, "%u", now);
  differs(why, "--hash-bits ", text_str(&a), text_str(&b));
  text_clear(&a);
  text_clear(&b);
  return false;
}

static bool check_model(struct saved_in *in, const struct search_config *c, struct text *why) {
  uint64_t then[2], now[2];
  hash_model(c->model, now);
  saved_get64s(in, then, 2);
  if (in->failed) return damaged(why);
  return memcmp(then, now, sizeof now) == 0 || refuse(why, "the model has changed since; " ANEW);
}

static bool check_version(struct saved_in *in, struct text *why) {
  uint32_t version = saved_get32(in);
  if (in->failed) return damaged(why);
  if (version == SAVED_VERSION) return true;
  text_printf(why,
              "another version of Fathom saved it (format %u; this one goes on from %u); " ANEW,
              version, SAVED_VERSION);
  return false;
}

bool saved_check_head(struct saved_in *in, const struct search_config *c, struct text *why) {
  const struct ir_layout *l = c->model->layout;
  if (!check_version(in, why) || !check_model(in, c, why) ||
      !check_string(in, "--store ", c->store, why) || !check_hash_bits(in, c, why) ||
      !check_string(in, "--bounding ", bounding_name(c->bounding), why) ||
      !check_string(in, "--frontier ", frontier_name(c->frontier), why) ||
      !check_string(in, "", meaning_of(c), why))
    return false;
  bool fits = saved_get32(in) == l->words && saved_get32(in) == l->bytes;
  return (fits && !in->failed) || damaged(why);
}

static void skip_string(struct saved_in *in) {
  char c;
  for (size_t count = saved_get_count(in, 1); count > 0 && !in->failed; count--)
    saved_get(in, &c, 1);
}

bool saved_meaning(const char *path, struct text *out) {
  struct saved_in in = {.fd = -1};
  struct text why = {0};
  uint64_t model[2];
  bool good = saved_in_open(&in, path, &why) && check_version(&in, &why);
  if (good) {
    saved_get64s(&in, model, 2);
    skip_string(&in); // the store's kind
    saved_get32(&in);
    skip_string(&in); // bounding and frontier
    skip_string(&in);
    size_t count = saved_get_count(&in, 1);
    char c;
    for (size_t i = 0; i < count && !in.failed; i++) saved_get(&in, &c, 1), text_char(out, c);
  }
  good = good && !in.failed;
  saved_in_close(&in);
  text_clear(&why);
  return good;
}

// --- opening ---

// Reads what a search would be given, and throws it away.
static bool check_body(struct saved *f, const struct search_config *c, struct text *why) {
  struct nodes nodes;
  struct generation made = {0};
  nodes_init(&nodes, c->frontier, c->model->layout->words);
  struct saved_body b = {.words = c->model->layout->words,
                         .rules = c->model->rules.count,
                         .instances = c->model->rule_instances,
                         .nodes = &nodes,
                         .made = &made};
  bool good = saved_read_body(&f->in, &b);
  if (good) f->depth = nodes_last(&nodes)->bound;
  f->bound = b.bound;
  f->surveyed = b.fired.count > 0;
  saved_body_clear(&b);
  generation_clear(&made);
  nodes_clear(&nodes);
  return good || damaged(why);
}

// An iteration that was begun is finished first.
static bool check_depth(const struct saved *f, const struct search_config *c, struct text *why) {
  uint64_t most = c->budget.depth_max;
  bool last = f->depth == most && f->bound == most + 1; // nothing lies behind: it can be finished
  if (!most || f->bound <= most || last) return true;
  text_printf(why,
              "it was on its way to depth %llu, and --depth allows only %llu: take a greater "
              "--depth, or none",
              (unsigned long long)f->bound, (unsigned long long)most);
  return false;
}

// What was not counted then cannot be told now.
static bool check_survey(const struct saved *f, const struct search_config *c, struct text *why) {
  if (!c->survey || f->surveyed) return true;
  text_add(why,
           "it was saved without --stats, so the rules that fired were not counted: leave --stats "
           "out");
  return false;
}

struct saved *saved_open(const char *path, const struct search_config *c, struct text *why) {
  struct saved *f = mem_zalloc(1, sizeof *f);
  if (saved_in_open(&f->in, path, why) && saved_check_head(&f->in, c, why)) {
    f->body = f->in.at;
    if (check_body(f, c, why) && check_depth(f, c, why) && check_survey(f, c, why)) return f;
  }
  saved_close(f);
  return NULL;
}

void saved_close(struct saved *f) {
  saved_in_close(&f->in);
  mem_free(f);
}

uint64_t saved_depth(const struct saved *f) { return f->depth; }
