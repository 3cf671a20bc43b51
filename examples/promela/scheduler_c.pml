// expect: holds
// states: 18414
// with: BUG=1 expect: violated "assertions and errors"
//
// A small operating-system scheduler whose kernel is C: one processor, TASKS tasks with
// priorities, a clock that takes the processor away after QUANTUM ticks, and a lock with
// a queue of its own. The run queue, the table of tasks and the lock are structures of C
// that belong to the state (c_state); the kernel is a few functions (c_code) that work
// on them, as they would in the system itself. Promela says in which order things may
// happen: tasks run, the clock ticks.
//
// A task that waits for the lock lends its priority to the one who holds it (priority
// inheritance). With BUG the kernel forgets to give the loan back.
//
//   fathom check examples/promela/scheduler_c.pml
//     holds: one task runs at a time, the lock has one owner, loans are given back
//   fathom check examples/promela/scheduler_c.pml -D BUG=1
//     violated: a task keeps a priority that is not its own
//
// Macros
//   TASKS    number of tasks
//   QUANTUM  ticks that a task may run before its equals get their turn
//   BUG      1: the kernel does not take a loan of priority back

#ifndef TASKS
#define TASKS 3
#endif
#ifndef QUANTUM
#define QUANTUM 2
#endif
#ifndef BUG
#define BUG 0
#endif

c_decl {
  enum { IDLE = 255, RUNNING = 1, READY, WAITING, DONE };

  struct Task {
    unsigned char state, base, priority;
  };
  typedef struct Task Tasks[TASKS];
  struct Queue {
    unsigned char count, task[TASKS];
  };
}

c_state "Tasks task" "Global"
c_state "struct Queue ready" "Global"
c_state "struct Queue waiting" "Global"
c_state "unsigned char current" "Global" "IDLE"
c_state "unsigned char owner" "Global" "IDLE"
c_state "unsigned char ticks" "Global"

byte started;     // tasks that are known to the kernel
bool sound = true; // what the kernel finds when it looks at itself

c_code {
  static void enqueue(struct Queue *q, int t) { q->task[q->count++] = t; }

  // The first of the highest priority; the free place becomes 0, so that equal queues are equal.
  static int dequeue(struct Queue *q) {
    int best = 0, t;
    for (int i = 1; i < q->count; i++)
      if (now.task[q->task[i]].priority > now.task[q->task[best]].priority) best = i;
    t = q->task[best];
    memmove(q->task + best, q->task + best + 1, q->count - best - 1);
    q->task[--q->count] = 0;
    return t;
  }

  static void dispatch(void) {
    now.ticks = 0;
    now.current = now.ready.count ? dequeue(&now.ready) : IDLE;
    if (now.current != IDLE) now.task[now.current].state = RUNNING;
  }

  static void make_ready(int t) {
    now.task[t].state = READY;
    enqueue(&now.ready, t);
  }

  // Gives the processor to somebody else if there is somebody better, or as good.
  static void yield(int or_equal) {
    int here = now.task[now.current].priority + !or_equal;
    for (int i = 0; i < now.ready.count; i++) {
      if (now.task[now.ready.task[i]].priority < here) continue;
      make_ready(now.current);
      dispatch();
      return;
    }
  }

  static void start(int t, int priority) {
    now.task[t].base = now.task[t].priority = priority;
    make_ready(t);
    if (now.current == IDLE) dispatch();
    else yield(0);
  }

  static void tick(void) {
    if (++now.ticks < QUANTUM) return;
    now.ticks = 0;
    yield(1);
  }

  // True: the task has the lock. Else it sleeps, and will have it when it runs again.
  static int lock(int t) {
    if (now.owner == IDLE) {
      now.owner = t;
      return 1;
    }
    if (now.task[now.owner].priority < now.task[t].priority)
      now.task[now.owner].priority = now.task[t].priority;
    now.task[t].state = WAITING;
    enqueue(&now.waiting, t);
    dispatch();
    return 0;
  }

  static void unlock(int t) {
    if (!BUG) now.task[t].priority = now.task[t].base;
    now.owner = now.waiting.count ? dequeue(&now.waiting) : IDLE;
    if (now.owner != IDLE) make_ready(now.owner);
    yield(0);
  }

  static void finish(int t) {
    now.task[t].state = DONE;
    dispatch();
  }

  static int one_runs(void) {
    int running = 0;
    for (int t = 0; t < TASKS; t++) running += now.task[t].state == RUNNING;
    return running == (now.current != IDLE);
  }

  static int loans_back(void) {
    for (int t = 0; t < TASKS; t++)
      if (t != now.owner && now.task[t].priority != now.task[t].base) return 0;
    return 1;
  }
}

// A task moves only while it has the processor.
proctype task(byte me) provided (c_expr { now.current == Ptask->me })
{
  byte rounds;
  do
  :: rounds < 2 ->
     c_code { lock(Ptask->me); };
     assert(c_expr { now.owner == Ptask->me });
     c_code { unlock(Ptask->me); };
     d_step {
       c_code { now.sound = one_runs() && loans_back(); };
       assert(sound)
     }
     rounds++
  :: else -> break
  od;
  c_code { finish(Ptask->me); }
}

active proctype clock()
{
end:
  do
  :: c_expr { now.current != IDLE } -> c_code { if (now.current != IDLE) tick(); }
  od
}

init
{
  do
  :: started < TASKS ->
     atomic {
       run task(started);
       c_code { start(now.started, 1 + now.started); };
       started++
     }
  :: else -> break
  od
}
