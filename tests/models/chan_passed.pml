// expect: holds
// states: 24
// Channels sent through channels.
chan door = [0] of { chan };
chan other = [1] of { byte };

active proctype client()
{
  chan mine = [1] of { byte };
  byte x;
  door!mine;
  mine?x;
  assert(x == 7)
}
active proctype server() { chan back; door?back; back!7; back = other; back!8 }
active proctype third() { byte y; other?y; assert(y == 8) }
