// expect: holds
// states: 12
// with: LIMIT=2 expect: holds
// Macros with and without arguments, conditions, lines that go on.
#ifndef LIMIT
#define LIMIT 5
#endif
#define NEXT(v) ((v) + 1)
#define UPTO(v, n) \
  do \
  :: v < n -> v = NEXT(v) \
  :: else -> break \
  od
#if LIMIT > 3
#define START 1
#else
#define START 0
#endif

byte i = START;

active proctype main()
{
  UPTO(i, LIMIT);
  assert(i == LIMIT)
}
