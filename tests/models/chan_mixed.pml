// expect: holds
// states: 21
// Channels of different shapes behind one variable.
chan one = [1] of { byte };
chan two = [1] of { byte };
chan at;
byte x;

active proctype main()
{
  do
  :: at = one; at!1; one?x; assert(x == 1)
  :: at = two; at!2; at?x; assert(x == 2 && len(one) == 0)
  :: x > 0 -> break
  od
}
