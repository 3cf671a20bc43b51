// expect: holds
// states: 8
// options: --dead-variables on
// spin: no, the option is ours
// What is not read any more is reset: behind the three values of x there is one state each (1 + 3 + 4; 14 without).
byte g;

active proctype a()
{
  byte x;
  if :: x = 1 :: x = 2 :: x = 3 fi;
  g = (x > 0);
  g = 2;
  g = 3
}
