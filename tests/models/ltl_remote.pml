// expect: violated "again"
// Places and variables of processes, macros, arrays.
#define in(i) (user[i]@cs)
byte turn;

active [2] proctype user()
{
  byte visits;
  do
  :: turn == _pid ->
cs: visits = 1;
    turn = 1 - turn
  od
}
ltl one { [] !(in(0) && in(1)) }
ltl comes { <> (in(1)) }
ltl counted { [] (user[1]:visits <= 1) }
ltl again { <> [] (user[0]:visits == 0) }
