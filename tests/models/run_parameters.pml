// expect: holds
// states: 30
// Parameters are values of their type; run gives the new process's pid.
byte sum;

proctype adder(byte n; bit b; short s)
{
  assert(b <= 1 && s == -1);
  atomic { sum = sum + n; assert(b == (n & 1)) }
}

init {
  pid first, second;
  atomic {
    first = run adder(257, 3, 65535);
    second = run adder(2, 2, -1)
  };
  assert(first == 1 && second == 2);
  _nr_pr == 1;
  assert(sum == 3)
}
