// expect: holds
// states: 22
// else beside a question about a channel (beside receives SPIN refuses it).
chan q = [1] of { byte };
byte empties, x;

active proctype reader()
{
  do
  :: len(q) > 0 -> q?x; break
  :: else -> empties = 1
  od
}
active proctype writer() { q!5 }
