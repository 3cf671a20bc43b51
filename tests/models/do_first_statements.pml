// expect: holds
// states: 12
// Options that begin with blocks, loops, labels, gotos and nested choices.
byte x;

active proctype main()
{
  do
  :: { x == 0 -> x = 1 }
  :: if :: x == 1 -> x = 2 :: x == 2 -> x = 3 fi
  :: atomic { x == 3; x = 4 }
  :: x == 4 -> goto out
inner:
    assert(false)
  :: do :: x == 1 -> x = 3; break :: x == 77 -> assert(false) od
  od;
  assert(false);
out:
  x = 5
}
