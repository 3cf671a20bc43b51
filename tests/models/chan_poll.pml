// expect: holds
// states: 15
// [] asks whether a receive could happen, and changes nothing.
mtype = { red, blue };
chan q = [2] of { mtype, byte };
byte x = 5;

active proctype s() { q!red, 1; q!blue, 2 }
active proctype r()
{
  byte y;
  do
  :: q?[red, _] -> q?red, y; assert(y == 1)
  :: q?[blue, 2] -> q?blue, y; break
  :: q??[blue, eval(x)] -> assert(false)
  :: len(q) == 2 && q??[blue, 2] && !q?[blue, 2] -> skip
  od;
  assert(x == 5)
}
