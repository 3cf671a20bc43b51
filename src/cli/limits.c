// SPDX-License-Identifier: Apache-2.0
// How much memory and how many cores this process may take: the machine's, what others leave of
// it, or what its control groups (version 1 and 2) allow when that is less. Every group on the way
// to the root counts.
#define _GNU_SOURCE // sched_getaffinity
#include "cli/cli.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FREE_LEAST (UINT64_C(16) << 20) // of a group that has used up all: enough for small models

static void lower(uint64_t *limit, uint64_t to) {
  if (to > 0 && to < *limit) *limit = to;
}

// Looks at what one group's folder says, and lowers the limit by it.
typedef void look(uint64_t *limit, const char *folder);

// The first one or two numbers of a file; how many there are ("max" and "-1" are none).
static int read_numbers(const char *folder, const char *file, uint64_t *a, uint64_t *b) {
  struct text path = {0};
  text_printf(&path, "%s/%s", folder, file);
  FILE *f = fopen(text_str(&path), "r");
  text_clear(&path);
  if (f == NULL) return 0;
  int64_t first = 0, second = 0;
  int got = fscanf(f, "%" SCNd64 " %" SCNd64, &first, &second);
  fclose(f);
  if (got < 1 || first < 0) return 0;
  *a = (uint64_t)first;
  if (b != NULL && got == 2) *b = (uint64_t)second;
  return got;
}

// Above memory.high the system slows a group down until it stands still.
static void look_at_memory(uint64_t *limit, const char *folder) {
  uint64_t bytes;
  if (read_numbers(folder, "memory.max", &bytes, NULL) > 0) lower(limit, bytes);
  if (read_numbers(folder, "memory.high", &bytes, NULL) > 0) lower(limit, bytes);
}

static void look_at_memory_1(uint64_t *limit, const char *folder) {
  uint64_t bytes;
  if (read_numbers(folder, "memory.limit_in_bytes", &bytes, NULL) > 0) lower(limit, bytes);
}

// The sum of what stands behind two names in a group's memory.stat.
static uint64_t read_stat(const char *folder, const char *name, const char *name_2) {
  struct text path = {0};
  text_printf(&path, "%s/memory.stat", folder);
  FILE *f = fopen(text_str(&path), "r");
  text_clear(&path);
  char line[256], found[64];
  uint64_t bytes = 0, number;
  while (f != NULL && fgets(line, sizeof line, f) != NULL)
    if (sscanf(line, "%63s %" SCNu64, found, &number) == 2 &&
        (strcmp(found, name) == 0 || strcmp(found, name_2) == 0))
      bytes += number;
  if (f != NULL) fclose(f);
  return bytes;
}

// What a group's limit leaves, beside what is used and is no file's (that is given back in need).
static void lower_by_use(uint64_t *limit, uint64_t most, uint64_t used, uint64_t files) {
  used -= files < used ? files : used;
  lower(limit, used + FREE_LEAST < most ? most - used : FREE_LEAST);
}

// Files in memory alone (tmpfs) are in neither list: they are not given back.
static void look_at_free(uint64_t *limit, const char *folder) {
  uint64_t most = UINT64_MAX, used;
  look_at_memory(&most, folder);
  if (most < UINT64_MAX && read_numbers(folder, "memory.current", &used, NULL) > 0)
    lower_by_use(limit, most, used, read_stat(folder, "active_file", "inactive_file"));
}

static void look_at_free_1(uint64_t *limit, const char *folder) {
  uint64_t most = UINT64_MAX, used;
  look_at_memory_1(&most, folder);
  if (most < UINT64_MAX && read_numbers(folder, "memory.usage_in_bytes", &used, NULL) > 0)
    lower_by_use(limit, most, used, read_stat(folder, "total_active_file", "total_inactive_file"));
}

// Time on all cores together per period of time: a part of a core counts as one.
static void lower_by_quota(uint64_t *limit, uint64_t quota, uint64_t period) {
  if (quota > 0 && period > 0) lower(limit, (quota + period - 1) / period);
}

static void look_at_cores(uint64_t *limit, const char *folder) {
  uint64_t quota, period;
  if (read_numbers(folder, "cpu.max", &quota, &period) == 2) lower_by_quota(limit, quota, period);
}

static void look_at_cores_1(uint64_t *limit, const char *folder) {
  uint64_t quota, period;
  if (read_numbers(folder, "cpu.cfs_quota_us", &quota, NULL) > 0 &&
      read_numbers(folder, "cpu.cfs_period_us", &period, NULL) > 0)
    lower_by_quota(limit, quota, period);
}

// Looks at every folder from root/group up to root.
static void lower_by_groups(uint64_t *limit, const char *root, char *group, look *at) {
  for (;;) {
    struct text folder = {0};
    text_printf(&folder, "%s%s", root, group);
    at(limit, text_str(&folder));
    text_clear(&folder);
    char *slash = strrchr(group, '/');
    if (slash == NULL) return;
    *slash = '\0';
  }
}

// Is it one of a list like "cpu,cpuacct"?
static bool is_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
    if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0')) return true;
  return false;
}

// A line of /proc/self/cgroup is  number:controllers:/group ; version 2 has no controllers.
static void lower_by_line(uint64_t *limit, char *line, const char *controller, look *at,
                          look *at_1) {
  char *controllers = strchr(line, ':');
  char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
  if (group == NULL) return;
  controllers++;
  *group++ = '\0';
  group[strcspn(group, "\n")] = '\0';
  struct text root = {0};
  text_add(&root, "/sys/fs/cgroup");
  if (*controllers != '\0') text_printf(&root, "/%s", controller);
  if (*controllers == '\0' || is_listed(controllers, controller))
    lower_by_groups(limit, text_str(&root), group, *controllers == '\0' ? at : at_1);
  text_clear(&root);
}

static void lower_by_cgroup(uint64_t *limit, const char *controller, look *at, look *at_1) {
  FILE *f = fopen("/proc/self/cgroup", "r");
  char line[4096];
  while (f != NULL && fgets(line, sizeof line, f) != NULL)
    lower_by_line(limit, line, controller, at, at_1);
  if (f != NULL) fclose(f);
}

// What is left when others have taken theirs; 0: the system does not tell.
static uint64_t available_bytes(void) {
  FILE *f = fopen("/proc/meminfo", "r");
  char line[256];
  uint64_t kib = 0;
  while (f != NULL && kib == 0 && fgets(line, sizeof line, f) != NULL)
    sscanf(line, "MemAvailable: %" SCNu64, &kib);
  if (f != NULL) fclose(f);
  return kib * 1024;
}

size_t cli_memory_there(void) {
  uint64_t limit = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  lower_by_cgroup(&limit, "memory", look_at_memory, look_at_memory_1);
  lower(&limit, mem_addresses_max());
  return (size_t)limit;
}

// Of what is free now, on the machine and in the groups, at most nine tenths.
size_t cli_memory_limit(void) {
  uint64_t limit = cli_memory_there() / 4 * 3, available = available_bytes();
  if (available == 0) available = UINT64_MAX;
  lower_by_cgroup(&available, "memory", look_at_free, look_at_free_1);
  lower(&limit, available / 10 * 9);
  return (size_t)limit;
}

// More than a set of the C library holds (1024 cores) do not tell: then those that are there count.
uint64_t cli_cores(void) {
  cpu_set_t set;
  long there = sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t cores = there > 0 ? (uint64_t)there : 1;
  if (sched_getaffinity(0, sizeof set, &set) == 0) cores = (uint64_t)CPU_COUNT(&set);
  lower_by_cgroup(&cores, "cpu", look_at_cores, look_at_cores_1);
  return cores;
}
