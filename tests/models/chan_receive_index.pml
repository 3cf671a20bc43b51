// expect: holds
// states: 5
// A message whose first field is the index for its second: fields are received one after the other.
chan q = [2] of { byte, byte };
byte a[3], i;

active proctype main()
{
  q!2, 7;
  q?i, a[i];
  assert(i == 2 && a[2] == 7 && a[0] == 0)
}
