// expect: holds
// states: 38
// Blocks side by side have variables of their own; declarations may stand between statements.
byte x = 1;

active proctype main()
{
  byte z = 2;
  { byte y = 3;
    assert(y == 3);
    y++
  };
  { short y = -1;
    assert(y == -1 && z == 2)
  };
  byte late = z + 1;
  assert(late == 3);
  x++
}

active proctype other() { byte z = 7; assert(x == 1 || x == 2); z = x }
