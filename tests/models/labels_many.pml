// expect: holds
// states: 10
// Several labels on one statement, a label before a block and at the end.
byte x;

active proctype main()
{
one: two: three:
  x++;
  if
  :: x == 1 -> goto one
  :: x == 2 -> goto two
  :: x == 3 -> goto four
  fi;
four: { x = 9 };
  goto last;
  assert(false);
last: skip
}
