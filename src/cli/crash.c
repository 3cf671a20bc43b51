// SPDX-License-Identifier: Apache-2.0
// Our own bugs end with a sentence and exit code 6, also when they come as a signal. Sanitized
// builds keep the sanitizer's own report.
#include "cli/cli.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
void cli_crash_install(void) {}
#else
static void on_crash(int signal_number) {
  static const char abort_text[] = "fathom: internal error (a check of our own failed). ";
  static const char fault_text[] = "fathom: internal error (invalid memory access). ";
  static const char report_text[] =
      "This is a bug in Fathom (or in the C code of the model, if it has any): please report it, "
      "with the model and the command line.\n";
  static atomic_flag said = ATOMIC_FLAG_INIT;
  while (atomic_flag_test_and_set(&said)) pause(); // another thread says it, and ends the process
  ssize_t done = signal_number == SIGABRT ? write(STDERR_FILENO, abort_text, sizeof abort_text - 1)
                                          : write(STDERR_FILENO, fault_text, sizeof fault_text - 1);
  if (done < 0 || write(STDERR_FILENO, report_text, sizeof report_text - 1) < 0) _exit(CLI_BUG);
  _exit(CLI_BUG);
}

void cli_crash_install(void) {
  static char stack[64 * 1024]; // the ordinary one may be what overflowed
  stack_t s = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&s, NULL);
  struct sigaction a = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
  sigemptyset(&a.sa_mask);
  static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &a, NULL);
}
#endif
