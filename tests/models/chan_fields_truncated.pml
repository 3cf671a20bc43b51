// expect: holds
// states: 6
// A message's fields have types: values are cut to them when sent.
chan q = [1] of { bit, byte, short, bool };
int a, b, c, d;

active proctype main()
{
  q!3, 257, 65535, 4;
  q?a, b, c, d;
  assert(a == 1 && b == 1 && c == -1);
  printf("%d\n", d)
}
