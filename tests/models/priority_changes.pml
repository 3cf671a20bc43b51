// expect: holds
// states: 19
// set_priority and get_priority.
byte x;

active proctype a() priority 2
{
  x++;
  assert(get_priority(_pid) == 2);
  set_priority(_pid, 1);
  assert(_priority == 1);
  x++
}

active proctype b() priority 2 { x++; x++ }
