// expect: holds
// states: 13
// Parameters of an inline stand for the text they are given: it can assign to them.
byte a = 1, b = 2;
chan q = [1] of { byte };

inline swap(x, y) { byte t = x; x = y; y = t }
inline put(c, v) { c!v }
inline nest(x, y) { swap(x, y); put(q, x + y) }

active proctype main()
{
  byte r;
  swap(a, b);
  assert(a == 2 && b == 1);
  nest(b, a);
  assert(a == 1 && b == 2);
  q?r;
  assert(r == 3)
}
