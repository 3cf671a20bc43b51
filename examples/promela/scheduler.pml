// expect: holds
// states: 625
// with: BUG=1 expect: violated "deadlock"
//
// A small operating-system scheduler: one processor, TASKS tasks, a clock, a device.
//
// Tasks move only while they have the processor (provided). The clock takes it away
// from them between any two steps and puts the task at the end of the queue of ready
// tasks (round robin). A task that wants the device starts it and sleeps; when the
// device is done its interrupt wakes the sleeper. One task uses the device at a time, behind
// a semaphore that keeps its own queue.
//
// A task must fall asleep in one step with the look whether the device is still
// busy. If the interrupt comes in between, the wake-up is lost.
//
//   fathom check examples/promela/scheduler.pml
//     holds
//   fathom check examples/promela/scheduler.pml -D BUG=1
//     violated: everybody sleeps for ever
//
// Macros
//   TASKS  number of tasks
//   BUG    1: looking and falling asleep are two steps

#ifndef TASKS
#define TASKS 3
#endif
#ifndef BUG
#define BUG 0
#endif

#define NOBODY 255

mtype = { READY, RUNNING, WAITING, SLEEPING };

chan ready = [TASKS] of { pid };  // the ready tasks, first come first served
chan queue = [TASKS] of { pid };  // those that wait for the semaphore
mtype state[TASKS];
byte running = NOBODY; // who has the processor
bool taken;            // the semaphore
bool busy;             // the device is at work
byte sleeper = NOBODY; // who is to be woken by its interrupt
byte users;            // tasks at the device

// Gives the processor to the first of the ready tasks, or to nobody. Only inside d_step.
inline dispatch()
{
  if
  :: ready?running -> state[running] = RUNNING
  :: empty(ready) -> running = NOBODY
  fi
}

inline make_ready(who)
{
  state[who] = READY;
  ready!who
}

inline down()
{
  d_step {
    if
    :: !taken -> taken = true
    :: else -> state[_pid] = WAITING; queue!_pid; dispatch()
    fi
  }
}

// Hands the semaphore over to the first that waits, if any.
inline up()
{
  d_step {
    if
    :: queue?first -> make_ready(first); first = 0
    :: empty(queue) -> taken = false
    fi
  }
}

active [TASKS] proctype task() provided (running == _pid)
{
  pid first;

  do
  :: // compute; then use the device
    down();
    users++;
    assert(users == 1);
    busy = true;
#if BUG
    if
    :: busy -> d_step { sleeper = _pid; state[_pid] = SLEEPING; dispatch() }
    :: else
    fi;
#else
    d_step {
      if
      :: busy -> sleeper = _pid; state[_pid] = SLEEPING; dispatch()
      :: else
      fi
    };
#endif
    assert(!busy);
    users--;
    up()
  od
}

// The device ends its work at some time, and interrupts.
active proctype device()
{
end:
  do
  :: d_step {
      busy ->
      busy = false;
      if
      :: sleeper != NOBODY ->
        make_ready(sleeper);
        sleeper = NOBODY;
        if
        :: running == NOBODY -> dispatch()
        :: else
        fi
      :: else
      fi
    }
  od
}

// The clock takes the processor away when others are ready.
active proctype clock()
{
end:
  do
  :: d_step {
      running != NOBODY && nempty(ready) ->
      make_ready(running);
      dispatch()
    }
  od
}

init {
  byte i;
  d_step {
    for (i : 0 .. TASKS - 1) {
      make_ready(i)
    }
    i = 0;
    dispatch();
    // one processor, and one task on it
    assert(running == 0)
  }
}
