// SPDX-License-Identifier: Apache-2.0
// measure REPORT COMMAND...: runs a command and writes "WALL_SECONDS PEAK_BYTES STATUS" to the file
// REPORT. The peak is the resident high-water mark of the command's own process, looked up while it
// runs: what wait4 tells would include its children, and a C compiler takes more than a small
// search.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_EVERY_NS 2000000

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// In bytes; 0 when the system does not tell (any more).
static long high_water(pid_t process) {
  char path[64], line[256];
  long kib = 0;
  snprintf(path, sizeof path, "/proc/%ld/status", (long)process);
  FILE *status = fopen(path, "r");
  if (status == NULL) return 0;
  while (kib == 0 && fgets(line, sizeof line, status) != NULL) sscanf(line, "VmHWM: %ld kB", &kib);
  fclose(status);
  return kib * 1024;
}

// Waits for the child; gives its peak.
static long watch(pid_t child, int *status) {
  const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};
  struct rusage usage;
  long peak = 0;
  while (wait4(child, status, WNOHANG, &usage) == 0) {
    long bytes = high_water(child);
    if (bytes > peak) peak = bytes;
    nanosleep(&pause, NULL);
  }
  return peak > 0 ? peak : usage.ru_maxrss * 1024L;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s REPORT COMMAND...\n", argv[0]);
    return 1;
  }
  double start = now();
  pid_t child = fork();
  if (child < 0) {
    perror("measure");
    return 1;
  }
  if (child == 0) {
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  long peak = watch(child, &status);
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  FILE *report = fopen(argv[1], "w");
  if (report == NULL) {
    perror(argv[1]);
    return 1;
  }
  fprintf(report, "%.3f %ld %d\n", now() - start, peak, code);
  return fclose(report) == 0 ? code : 1;
}
