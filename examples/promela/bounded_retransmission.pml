// expect: holds
// states: 1617
// with: BUG=1 expect: violated "assertions and errors"
//
// The bounded retransmission protocol: a file of FRAMES frames goes over channels
// that lose messages, and each frame is tried 1 + RETRIES times at most.
//
// Frames carry an alternating bit and whether they are the first or the last. When
// the sender gives up it tells its user NOK; if only the last acknowledgement is
// missing it cannot know whether the file has arrived, and says DONT_KNOW. The
// receiver's user is told of every frame (FIRST, MORE, OK at the last) and, when no
// more is to be expected, NOK. Timers do not go off too early: the sender's goes
// off when nothing else can happen (timeout), the receiver's when the sender has
// given up.
//
//   fathom check examples/promela/bounded_retransmission.pml
//     holds: what the two users are told goes together
//   fathom check examples/promela/bounded_retransmission.pml -D BUG=1
//     violated: the sender says that a file is lost which has arrived
//
// Macros
//   FRAMES   frames in a file
//   RETRIES  how often a frame is sent again
//   FILES    how many files are sent
//   BUG      1: NOK instead of DONT_KNOW

#ifndef FRAMES
#define FRAMES 3
#endif
#ifndef RETRIES
#define RETRIES 2
#endif
#ifndef FILES
#define FILES 2
#endif
#ifndef BUG
#define BUG 0
#endif

mtype:told = { NOTHING, FIRST, MORE, OK, NOK, DONT_KNOW };

typedef frame {
  bool first, last;
  bit toggle;
  byte content
};

chan data = [1] of { frame };
chan ack = [1] of { bit };
chan over = [0] of { bool }; // the sender has given up (true) or is through

mtype:told sender_told = NOTHING, receiver_told = NOTHING;
byte received; // frames of this file

inline transmit()
{
  if
  :: data!out
  :: skip // lost
  fi
}

active proctype sender()
{
  frame out;
  bit got;
  byte tries, files;

  do
  :: files < FILES ->
    files++;
    out.content = 0;
    do
    :: out.content < FRAMES ->
      out.first = (out.content == 0);
      out.last = (out.content == FRAMES - 1);
      tries = 0;
      transmit();
      do
      :: ack?got ->
        if
        :: got == out.toggle -> break
        :: else // an old one
        fi
      :: timeout ->
        if
        :: tries < RETRIES -> tries++; transmit()
        :: else -> goto give_up
        fi
      od;
      out.toggle = 1 - out.toggle;
      out.content++
    :: else ->
      sender_told = OK;
      over!false;
      break
    od;
    goto next;
give_up:
    if
    :: out.last && !BUG -> sender_told = DONT_KNOW
    :: else -> sender_told = NOK
    fi;
    out.toggle = 0;
    over!true;
next:
    tries = 0; got = 0
  :: else -> break
  od
}

active proctype receiver()
{
  frame in;
  bit expected;
  bool given_up;

end:
  do
  :: data?in ->
    if
    :: in.toggle == expected ->
      assert(in.content == received);
      assert(in.first == (received == 0));
      received++;
      expected = 1 - expected;
      if
      :: in.last -> receiver_told = OK
      :: in.first && !in.last -> receiver_told = FIRST
      :: else -> receiver_told = MORE
      fi
    :: else // had it already
    fi;
    if
    :: ack!in.toggle
    :: skip // lost
    fi
  :: over?given_up ->
    if
    :: receiver_told != OK -> receiver_told = NOK
    :: else
    fi;
    assert(sender_told != OK || receiver_told == OK);
    assert(sender_told != NOK || receiver_told == NOK);
    assert(given_up == (sender_told != OK));
    d_step {
      sender_told = NOTHING; receiver_told = NOTHING;
      received = 0;
      if
      :: given_up -> expected = 0 // the next file begins afresh
      :: else
      fi;
      in.first = false; in.last = false; in.toggle = 0; in.content = 0;
      given_up = false
    }
  od
}
