// expect: holds
// states: 10
// <> reads without taking away.
chan q = [3] of { byte, byte };
byte x;

active proctype main()
{
  q!1, 10; q!2, 20;
  q?<x, _>; assert(x == 1 && len(q) == 2);
  q??<2, x>; assert(x == 20 && len(q) == 2);
  q?x, _; assert(x == 1 && len(q) == 1)
}
