// expect: holds
// states: 28
// len, empty, full, nempty, nfull.
chan q = [2] of { byte };

active proctype s() { do :: nfull(q) -> q!1 :: full(q) -> break od }
active proctype r()
{
  byte x;
  do
  :: len(q) == 2 -> assert(full(q) && nempty(q)); q?x; break
  :: empty(q) -> assert(len(q) == 0 || len(q) > 0)
  od
}
