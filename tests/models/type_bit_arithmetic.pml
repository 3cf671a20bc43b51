// expect: holds
// states: 19
// Operands are computed as int whatever they are stored in; truncation comes with the assignment.
byte a = 200, b = 100;
bit x = 1;
int i;

active proctype main()
{
  assert(a + b == 300);
  assert(b - a == -100);
  assert(x + x == 2);
  assert(~x == -2);
  assert(!x == 0);
  assert((a & 15) == 8 && (a | 7) == 207 && (a ^ b) == 172);
  assert((1 << 10) == 1024 && (a >> 3) == 25 && (-8 >> 1) == -4);
  i = (a > b -> 5 : 6); assert(i == 5);
  i = (a < b -> 5 : 6); assert(i == 6);
  i = (a == 200) + (b == 100); assert(i == 2);
  i = a * b * 200; assert(i == 4000000);
  a = (a + b) / 2; assert(a == 150)
}
