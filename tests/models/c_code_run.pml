// expect: holds
// states: 109
// Processes that are created and die, with parameters and memory that C works on; `provided` and
// `unless` with c_expr.
c_state "int depth" "Local child" "2"
byte total;
chan q = [2] of { byte };

proctype child(byte n) provided (c_expr { now.total < 10 })
{
  byte id = n;
  c_code { Pchild->n += Pchild->depth; now.total += Pchild->n; };
  q!n
}
init
{
  byte i, got;
  { do
    :: i < 3 -> run child(i); i++; q?got; c_code { now.total -= Pinit->got; }
    :: else -> break
    od
  } unless { c_expr { now.total > 200 } };
  assert(total == 0)
}
