// expect: holds
// states: 151
// c_state "Global" and "Local", with initial values; c_expr in guards; a structure of C.
c_decl { typedef struct Pair { int a; short b[2]; } Pair; }
c_state "Pair pair" "Global"
c_state "short limit" "Global" "3"
c_state "int mine[2]" "Local worker"
byte done;

active [2] proctype worker()
{
  byte n;
  do
  :: c_expr { now.pair.a < now.limit && Pworker->mine[0] < 2 } ->
     c_code { now.pair.a++; Pworker->mine[0]++; now.pair.b[Pworker->_pid] += Pworker->n; };
     n++
  :: c_expr { now.pair.a >= now.limit || Pworker->mine[0] >= 2 } -> break
  od;
  c_code { now.done++; };
  assert(done <= 2 && n <= 2)
}
