// expect: holds
// states: 14
// !! inserts before the first message that is larger, fields compared in their order.
chan q = [4] of { byte, byte };
byte a, b;

active proctype main()
{
  q!!3, 1; q!!1, 9; q!!2, 2; q!!2, 1;
  q?a, b; assert(a == 1 && b == 9);
  q?a, b; assert(a == 2 && b == 1);
  q?a, b; assert(a == 2 && b == 2);
  q?a, b; assert(a == 3 && b == 1)
}
