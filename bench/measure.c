// SPDX-License-Identifier: Apache-2.0
// measure REPORT COMMAND...: runs a command and writes "WALL_SECONDS PEAK_BYTES STATUS" to the file
// REPORT. The peak is that of the command alone, as the system counts it (wait4).
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s REPORT COMMAND...\n", argv[0]);
    return 1;
  }
  double start = now();
  pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
    perror("measure");
    return 1;
  }
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  FILE *report = fopen(argv[1], "w");
  if (report == NULL) {
    perror(argv[1]);
    return 1;
  }
  fprintf(report, "%.3f %ld %d\n", now() - start, usage.ru_maxrss * 1024L, code);
  return fclose(report) == 0 ? code : 1;
}
