// SPDX-License-Identifier: Apache-2.0
// How much memory this process may take: the machine's, or what its control groups (version 1 and
// 2) allow when that is less. Every group on the way to the root counts.
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void lower(uint64_t *limit, uint64_t to) {
  if (to > 0 && to < *limit) *limit = to;
}

// A file that holds a number, or "max".
static void lower_by_file(uint64_t *limit, const char *path) {
  FILE *f = fopen(path, "r");
  if (f == NULL) return;
  uint64_t n;
  if (fscanf(f, "%" SCNu64, &n) == 1) lower(limit, n);
  fclose(f);
}

// Looks at `file` in every folder from root/group up to root.
static void lower_by_groups(uint64_t *limit, const char *root, char *group, const char *file) {
  for (;;) {
    struct text path = {0};
    text_printf(&path, "%s%s/%s", root, group, file);
    lower_by_file(limit, text_str(&path));
    text_clear(&path);
    char *slash = strrchr(group, '/');
    if (slash == NULL) return;
    *slash = '\0';
  }
}

// A line of /proc/self/cgroup is  number:controllers:/group ; version 2 has no controllers.
static void lower_by_line(uint64_t *limit, char *line) {
  char *controllers = strchr(line, ':');
  char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
  if (group == NULL) return;
  *group++ = '\0';
  group[strcspn(group, "\n")] = '\0';
  if (strcmp(controllers, ":") == 0)
    lower_by_groups(limit, "/sys/fs/cgroup", group, "memory.max");
  else if (strstr(controllers, "memory") != NULL)
    lower_by_groups(limit, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
}

size_t cli_memory_limit(void) {
  uint64_t limit = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  FILE *f = fopen("/proc/self/cgroup", "r");
  char line[4096];
  while (f != NULL && fgets(line, sizeof line, f) != NULL) lower_by_line(&limit, line);
  if (f != NULL) fclose(f);
  struct rlimit r;
  if (getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY) lower(&limit, r.rlim_cur);
  return (size_t)(limit / 4 * 3);
}
