// SPDX-License-Identifier: Apache-2.0
// The alternating bit protocol over a channel that loses frames and acknowledgements, for ever: the
// receiver takes each message once, in order. Messages are numbered from 0 to 7.
// expect: holds
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int send_bit = 0, expected = 0;
  unsigned sent = 0, received = 0;
  while (1) {
    // one round: the frame, and what comes back
    _Bool frame_arrives = __VERIFIER_nondet_bool();
    if (!frame_arrives) continue;
    if (send_bit == expected) {
      assert(received == sent);
      received = (received + 1u) % 8u;
      expected = 1 - expected;
    }
    _Bool answer_arrives = __VERIFIER_nondet_bool();
    if (!answer_arrives) continue;
    sent = (sent + 1u) % 8u;
    send_bit = 1 - send_bit;
    assert(sent == received);
  }
}
