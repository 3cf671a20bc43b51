// expect: holds
// states: 11
// Constants, mtype constants, eval and _ in a receive.
mtype = { req, ack };
chan q = [4] of { mtype, byte, byte };
byte x, k = 2;

active proctype main()
{
  q!req(1, 2); q!ack(2, 3); q!req(2, 9);
  if
  :: q?ack(x, _) -> assert(false)
  :: q?req(5, x) -> assert(false)
  :: q?req(eval(k), x) -> assert(false)
  :: q?req(1, x) -> assert(x == 2)
  fi;
  if
  :: q?ack, eval(k), x -> assert(x == 3)
  fi;
  q?_, eval(k + 0), x;
  assert(x == 9 && empty(q))
}
