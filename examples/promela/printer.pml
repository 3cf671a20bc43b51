// expect: violated "acceptance cycles"
// with: FIX=1 expect: holds
// Two users print on one printer, which they may have only while they hold its lock, and a third process cleans up: a user who
// holds the lock for too long loses it. Three ways to say what must not happen for ever:
// an accept label (a job is thrown away again and again), a never claim (the lock is taken and nothing is ever printed any
// more), and a progress label (something is printed), for --non-progress.
// -D FIX=1: whoever has begun to print is left alone.
//
//   fathom check examples/promela/printer.pml
//   fathom check examples/promela/printer.pml -D FIX=1
//   fathom check examples/promela/printer.pml -D FIX=1 --non-progress                    (idle for ever)
//   fathom check examples/promela/printer.pml -D FIX=1 --property never_0
#ifndef FIX
#define FIX 0
#endif
#define nobody 255

byte owner = nobody;
bool printing;
byte pages;

active [2] proctype user()
{
idle:
  atomic { owner == nobody -> owner = _pid }
  do
  :: atomic { owner == _pid && !printing -> printing = true }
     if
     :: atomic { owner == _pid && printing -> pages = 1 - pages; printing = false; owner = nobody }
progress_printed:
        goto idle
     :: atomic { owner != _pid -> skip }
accept_lost:
        goto idle
     fi
  :: owner != _pid -> goto idle
  od
}

active proctype cleaner()
{
  do
#if FIX
  :: atomic { owner != nobody && !printing -> owner = nobody }
#else
  :: atomic { owner != nobody -> owner = nobody; printing = false }
#endif
  od
}

// From some time on somebody prints and never comes to an end.
never {
T0:
  do
  :: printing -> goto accept_stays
  :: true
  od;
accept_stays:
  do
  :: printing
  od
}
