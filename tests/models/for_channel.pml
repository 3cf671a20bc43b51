// expect: holds
// states: 23
// for over the messages of a channel, which stay where they are.
typedef msg { byte a; bit b };
chan q = [3] of { msg };

active proctype main()
{
  msg m;
  byte sum;
  m.a = 1; m.b = 1; q!m;
  m.a = 4; m.b = 0; q!m;
  for (m in q) { sum = sum + m.a + m.b };
  assert(sum == 6 && len(q) == 2);
  q?m;
  assert(m.a == 1 && m.b == 1)
}
