// expect: holds
// states: 9
// Initial values: of arrays for all elements, of locals when the process starts, from earlier globals.
byte n = 3;
byte m = 7;
byte a[4] = 5;
int neg = -2;
bool t = true, f;
mtype = { red, green };
mtype colour = green, none;

proctype child(byte first)
{
  byte copy = first;
  byte twice = 2 * copy, third = m;
  byte mine[3] = 1;
  assert(copy == 9 && twice == 18 && third == 8);
  assert(mine[0] == 1 && mine[2] == 1)
}

init {
  assert(a[0] == 5 && a[3] == 5 && n + m == 10 && neg == -2 && t && !f);
  assert(colour == green && none == 0);
  m++;
  run child(9)
}
