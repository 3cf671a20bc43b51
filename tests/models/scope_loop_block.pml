// expect: holds
// states: 18
// A block's variable gets its initial value each time the block is entered.
byte rounds;

active proctype main()
{
  do
  :: rounds < 3 ->
    { byte n = 4;
      assert(n == 4);
      n = n + rounds
    };
    rounds++
  :: else -> break
  od
}
