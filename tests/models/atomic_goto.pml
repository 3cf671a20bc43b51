// expect: holds
// states: 53
// Jumps out of and into atomic sequences.
byte x;

active proctype a()
{
  atomic { x = 1; x = 2; goto out };
  assert(false);
out:
  x = 3;
  goto within;
back:
  x = 7;
  goto end_it;
  atomic {
    assert(false);
within:
    x = 5;
    x = 6;
    goto back
  };
end_it:
  skip
}
active proctype b() { byte seen; seen = x; assert(seen != 1 && seen != 5) }
