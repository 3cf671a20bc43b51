// expect: holds
// states: 31962
// with: BUG=1 expect: violated "assertions and errors"
//
// A sliding window protocol (go back N) over channels that lose messages.
//
// The sender may have WINDOW frames under way, numbered modulo SEQ. The receiver
// takes them in order only and acknowledges the last one it has taken, whatever
// comes; an acknowledgement stands for all frames before it. On its timer, which
// may go off at any time, the sender sends again everything that is not
// acknowledged. WINDOW + 1 sequence numbers are enough; with WINDOW of them an old
// frame is taken for a new one.
//
// What is sent is a count modulo DATA, so that the receiver can see whether
// anything was lost, doubled or swapped.
//
//   fathom check examples/promela/sliding_window.pml
//     holds
//   fathom check examples/promela/sliding_window.pml -D BUG=1
//     violated: the receiver takes a frame twice
//
// Macros
//   WINDOW  frames under way
//   CAP     messages that fit into each channel
//   DATA    different contents, more than SEQ
//   BUG     1: one sequence number too few

#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef CAP
#define CAP 2
#endif
#ifndef BUG
#define BUG 0
#endif
#define SEQ (WINDOW + 1 - BUG)
#ifndef DATA
#define DATA (2 * SEQ)
#endif

chan frames = [CAP] of { byte, byte }; // sequence number, content
chan acks = [CAP] of { byte };         // sequence number of the last frame taken

active proctype sender()
{
  byte base;     // content of the oldest frame that is not acknowledged
  byte sent;     // frames under way
  byte again;    // of these, how many the timer has sent again
  byte ack, gone;

  do
  :: sent < WINDOW && nfull(frames) ->
    frames!((base + sent) % DATA) % SEQ, (base + sent) % DATA;
    sent++
  :: acks?ack ->
    // How many frames the acknowledgement is for: those up to the one it names.
    d_step {
      gone = (ack + SEQ - base % SEQ) % SEQ + 1;
      if
      :: gone <= sent -> base = (base + gone) % DATA; sent = sent - gone
      :: else // an old one
      fi;
      gone = 0; ack = 0
    }
  :: sent > 0 -> // the timer
    again = 0;
    do
    :: again < sent ->
      frames!((base + again) % DATA) % SEQ, (base + again) % DATA;
      again++
    :: else -> break
    od;
    again = 0
  od
}

active proctype receiver()
{
  byte wanted; // content of the next frame
  byte seq, content;

  do
  :: frames?seq, content ->
    if
    :: seq == wanted % SEQ ->
      assert(content == wanted);
      wanted = (wanted + 1) % DATA
    :: else
    fi;
    acks!(wanted + DATA - 1) % SEQ
  od
}

// The channels lose what they like.
active proctype daemon()
{
  do
  :: frames?_, _
  :: acks?_
  od
}
