// SPDX-License-Identifier: Apache-2.0
// The cache of compiled models: used when it is private, refused when it is not, and never a reason
// to fail. Also what happens without a compiler, with a broken one, and when a run ends early.
#include "agree.h"
#include "sys/cache.h"
#include "sys/native.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
  char root[64];   // removed at the end
  char folder[96]; // root/fathom
  struct ir_model *model;
};

static struct ir_model *small_model(void) {
  const char *text = "model \"small\";\nvar x : 0..3;\nstart \"s\" { x := 0; }\n"
                     "rule \"r\" { x := (x + 1) % 4; }\n";
  struct diag d = {0};
  struct ir_model *m = ir_parse_model(source_from_text("small.ir", text, strlen(text)), &d);
  assert_non_null(m);
  if (!m->layout) finish_model(m);
  return m;
}

static int set_up(void **state) {
  struct place *p = mem_zalloc(1, sizeof *p);
  strcpy(p->root, "/tmp/fathom-test-XXXXXX");
  assert_non_null(mkdtemp(p->root));
  snprintf(p->folder, sizeof p->folder, "%s/fathom", p->root);
  setenv("XDG_CACHE_HOME", p->root, 1);
  setenv("TMPDIR", p->root, 1);
  unsetenv("CC");
  p->model = small_model();
  *state = p;
  return 0;
}

// Files in a folder whose names end so.
static size_t count_files(const char *folder, const char *end) {
  size_t n = 0, k = strlen(end);
  DIR *d = opendir(folder);
  if (!d) return 0;
  for (struct dirent *f; (f = readdir(d));) {
    size_t bytes = strlen(f->d_name);
    n += f->d_name[0] != '.' && bytes >= k && strcmp(f->d_name + bytes - k, end) == 0;
  }
  closedir(d);
  return n;
}

static int tear_down(void **state) {
  struct place *p = *state;
  chmod(p->folder, 0700);
  cache_remove_build_folder(p->folder);
  assert_int_equal(count_files(p->root, ""), 0); // nothing was left behind
  cache_remove_build_folder(p->root);
  ir_model_free(p->model);
  mem_free(p);
  return 0;
}

static struct native *start(const struct place *p, bool no_cache) {
  const char *why = NULL;
  struct native *n = native_start(p->model, no_cache, &why);
  if (!n) fail_msg("%s", why);
  return n;
}

// Compiles or loads, steps once, and says whether it came out of the cache.
static bool run(const struct place *p, bool no_cache) {
  struct native *n = start(p, no_cache);
  if (native_poll(n, HUGE_VAL) != NATIVE_READY) fail_msg("%s", native_problem(n));
  struct sys s = {.model = p->model};
  struct sys_out out;
  uint64_t state[1] = {0};
  native_attach(n, &s);
  assert_true(s.native);
  sys_out_init(&out, 1, 0);
  s.expand(&s, state, &out);
  assert_int_equal(out.count, 1);
  sys_out_clear(&out);
  bool cached = native_cached(n);
  assert_true(native_seconds(n) < 60);
  native_free(n);
  return cached;
}

static void object_path(const struct place *p, char *path, size_t bytes) {
  DIR *d = opendir(p->folder);
  assert_non_null(d);
  path[0] = 0;
  for (struct dirent *f; (f = readdir(d));)
    if (strstr(f->d_name, ".so")) snprintf(path, bytes, "%s/%s", p->folder, f->d_name);
  closedir(d);
  assert_true(path[0]);
}

static void test_reuse(void **state) {
  struct place *p = *state;
  struct stat st;
  assert_false(run(p, false));
  assert_int_equal(stat(p->folder, &st), 0);
  assert_int_equal(st.st_mode & 0777, 0700);
  assert_int_equal(count_files(p->folder, ".so"), 1);
  assert_int_equal(count_files(p->folder, ""), 1); // and no build folder
  assert_true(run(p, false));
  assert_false(run(p, true));
  setenv("CC", "cc -DANOTHER", 1); // other options, other key
  assert_false(run(p, false));
  assert_int_equal(count_files(p->folder, ".so"), 2);
}

static void test_open_folder(void **state) {
  struct place *p = *state;
  mkdir(p->folder, 0700);
  chmod(p->folder, 0777);
  assert_false(run(p, false));
  assert_false(run(p, false));
  assert_int_equal(count_files(p->folder, ""), 0);
  chmod(p->folder, 0720);
  assert_false(run(p, false));
  assert_int_equal(count_files(p->folder, ""), 0);
}

static void test_link_folder(void **state) {
  struct place *p = *state;
  char real[96];
  snprintf(real, sizeof real, "%s/real", p->root);
  mkdir(real, 0700);
  assert_int_equal(symlink(real, p->folder), 0);
  assert_false(run(p, false));
  assert_int_equal(count_files(real, ""), 0);
  unlink(p->folder);
  rmdir(real);
}

static void test_unwritable(void **state) {
  struct place *p = *state;
  mkdir(p->folder, 0500);
  if (access(p->folder, W_OK) == 0) skip(); // root may write everywhere
  assert_false(run(p, false));
}

static void test_no_folder(void **state) {
  struct place *p = *state;
  char file[96];
  snprintf(file, sizeof file, "%s/file", p->root);
  fclose(fopen(file, "w"));
  setenv("XDG_CACHE_HOME", file, 1);
  assert_false(run(p, false));
  setenv("XDG_CACHE_HOME", "/proc", 1); // where nobody can make folders, root neither
  assert_false(run(p, false));
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "", 1);
  assert_false(run(p, false));
  unlink(file);
}

// Whatever happened to a stored object, it is not loaded but made again.
static void test_damaged(void **state) {
  struct place *p = *state;
  char path[512];
  assert_false(run(p, false));
  object_path(p, path, sizeof path);
  assert_int_equal(truncate(path, 5000), 0);
  assert_false(run(p, false));
  assert_true(run(p, false));
  FILE *f = fopen(path, "r+");
  fseek(f, 300, SEEK_SET);
  fputs("damaged", f);
  fclose(f);
  assert_false(run(p, false));
  assert_int_equal(truncate(path, 0), 0);
  assert_false(run(p, false));
  assert_int_equal(chmod(path, 0777), 0); // anybody might have written it
  assert_false(run(p, false));
  assert_true(run(p, false));
}

// An object that is whole and private, but not of this model.
static void test_foreign(void **state) {
  struct place *p = *state;
  char path[512], other[512];
  assert_false(run(p, false));
  object_path(p, path, sizeof path);
  snprintf(other, sizeof other, "%s/other", p->folder);
  assert_int_equal(rename(path, other), 0);
  setenv("CC", "cc -DANOTHER", 1);
  assert_false(run(p, false));
  object_path(p, path, sizeof path);
  assert_int_equal(rename(other, path), 0); // under the key of the other
  assert_false(run(p, false));
  assert_true(run(p, false));
}

static void test_no_compiler(void **state) {
  struct place *p = *state;
  const char *why = NULL;
  setenv("CC", "/nowhere/cc", 1);
  assert_null(native_start(p->model, false, &why));
  assert_non_null(strstr(why, "$CC"));
  setenv("CC", "no-such-compiler-here -O3", 1);
  assert_null(native_start(p->model, false, &why));
  struct sys *s = sys_new(p->model, &(struct sys_config){.mode = SYS_NATIVE});
  assert_false(s->native);
  assert_non_null(s->note);
  sys_free(s);
}

static void test_failing_compiler(void **state) {
  struct place *p = *state;
  setenv("CC", "cc -include /nowhere/header.h", 1);
  struct native *n = start(p, false);
  assert_int_equal(native_poll(n, HUGE_VAL), NATIVE_FAILED);
  assert_non_null(strstr(native_problem(n), "the C compiler failed: "));
  assert_non_null(strstr(native_problem(n), "header.h"));
  native_free(n);
  setenv("CC", "true", 1); // succeeds, makes nothing
  n = start(p, false);
  assert_int_equal(native_poll(n, HUGE_VAL), NATIVE_FAILED);
  assert_non_null(strstr(native_problem(n), "could not be loaded"));
  native_free(n);
}

// A compiler that never ends is ended with its children.
static void test_end_early(void **state) {
  struct place *p = *state;
  char script[96], beside[96];
  snprintf(script, sizeof script, "%s/slow", p->root);
  snprintf(beside, sizeof beside, "%s/pid", p->root);
  FILE *f = fopen(script, "w");
  fprintf(f, "#!/bin/sh\nsleep 1000 &\necho $! > %s.new\nmv %s.new %s\nwait\n", beside, beside,
          beside);
  fclose(f);
  chmod(script, 0700);
  setenv("CC", script, 1);
  struct native *n = start(p, false);
  assert_int_equal(native_poll(n, 0), NATIVE_RUNNING);
  for (int i = 0; i < 1000 && access(beside, R_OK) != 0; i++) usleep(10000);
  f = fopen(beside, "r");
  int child = 0;
  assert_int_equal(fscanf(f, "%d", &child), 1);
  fclose(f);
  native_free(n);
  char proc[64];
  snprintf(proc, sizeof proc, "/proc/%d/stat", child);
  char line[256] = "";
  for (int i = 0; i < 1000; i++) { // gone, or a zombie that nobody has reaped yet
    f = fopen(proc, "r");
    bool gone = !f || !fgets(line, sizeof line, f) || strstr(line, ") Z ");
    if (f) fclose(f);
    if (gone) break;
    usleep(10000);
    assert_true(i < 999);
  }
  unlink(script);
  unlink(beside);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_reuse),      TEST(test_open_folder), TEST(test_link_folder),
      TEST(test_unwritable), TEST(test_no_folder),   TEST(test_damaged),
      TEST(test_foreign),    TEST(test_no_compiler), TEST(test_failing_compiler),
      TEST(test_end_early),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
