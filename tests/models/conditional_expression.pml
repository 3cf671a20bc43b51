// expect: holds
// states: 8
// (a -> b : c), nested, with short circuits: what is not asked for is not computed.
byte a[2], i = 5, r;

active proctype main()
{
  r = (i < 2 -> a[i] : 7); assert(r == 7);
  r = (i > 2 -> (i > 4 -> 1 : 2) : 3); assert(r == 1);
  (i >= 2 || a[i] == 0);
  !(i < 2 && a[i] == 0)
}
