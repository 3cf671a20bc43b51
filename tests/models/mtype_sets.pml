// expect: holds
// states: 7
// Named sets of mtype constants are numbered each for itself.
mtype:fruit = { apple, pear };
mtype:size = { small, medium, large };
mtype = { plain };
mtype:fruit f;
mtype:size s = medium;
mtype p = plain;
chan q = [1] of { mtype:fruit, mtype:size };

active proctype main()
{
  mtype:fruit g;
  assert(pear == 1 && apple == 2 && large == 1 && small == 3 && plain == 1);
  f = apple;
  q!f, s;
  if
  :: q?eval(apple), large -> assert(false)
  :: q?g, medium -> assert(g == apple)
  fi
}
