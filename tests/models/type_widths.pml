// expect: holds
// states: 40
// Every type keeps as many bits as it has, as C does.
bit x; bool y; byte b; short s; int i; unsigned u : 3; unsigned one : 1; pid p;

active proctype main()
{
  b = 255; b = b + 1; assert(b == 0);
  b--; assert(b == 255);
  b = -1; assert(b == 255);
  b = 300; assert(b == 44);
  x = 3; assert(x == 1);
  x = 2; assert(x == 0);
  y = 4; assert(y == 0);
  y = 7; assert(y == 1);
  s = 32767; s++; assert(s == -32768);
  s = 65535; assert(s == -1);
  i = 2147483647; i++; assert(i < 0);
  i = -7 / 2; assert(i == -3);
  i = -7 % 3; assert(i == -1);
  u = 9; assert(u == 1);
  u--; u--; assert(u == 7);
  one = 5; assert(one == 1);
  p = 256; assert(p == 0)
}
