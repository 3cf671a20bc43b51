// expect: holds
// states: 14
// ?? takes the first message that fits, wherever it stands.
chan q = [4] of { byte, byte };
byte x;

active proctype main()
{
  q!1, 10; q!2, 20; q!3, 30; q!2, 40;
  q??2, x; assert(x == 20);
  q??2, x; assert(x == 40 && len(q) == 2);
  q??x, 30; assert(x == 3);
  q?x, _; assert(x == 1)
}
