// expect: holds
// states: 41
// A jump out of an escape, and to behind it.
byte x;
bool stop;

active proctype a()
{
again:
  { x = 1; x = 2; goto out } unless { stop -> stop = false; goto again };
out:
  x = 3
}
active proctype b() { stop = true; stop = true }
