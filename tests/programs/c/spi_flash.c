// SPDX-License-Identifier: Apache-2.0
// A driver for a flash memory on an SPI bus: writing needs write-enable first, and the chip is busy
// for a while afterwards. An erase that is asked for while it is busy is let through after a status
// read, whatever that read gave.
// expect: violated 25
// input: 1 2 0 5 1 1 1 3
// depth: 41
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum command { NONE, WRITE_ENABLE, WRITE, ERASE, STATUS = 5 };

static int enabled, busy, status_read;

static void write_page(void) {
  if (!enabled || busy) return;
  enabled = 0;
  status_read = 0;
  busy = 3;
}

static void erase(void) {
  if (!enabled) return;
  if (busy && !status_read) return;
  if (busy) reach_error();
  enabled = 0;
  busy = 5;
}

static void tick(void) {
  if (busy > 0 && __VERIFIER_nondet_int() == 0) busy--;
}

int main(void) {
  for (int i = 0; i < 8; i++) {
    switch (__VERIFIER_nondet_int()) {
    case WRITE_ENABLE: enabled = 1; break;
    case WRITE: write_page(); break;
    case ERASE: erase(); break;
    case STATUS: status_read = 1; break;
    default: return 0;
    }
    tick();
  }
  return 0;
}
