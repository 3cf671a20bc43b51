// expect: holds
// states: 52
// An escape that waits for a message.
chan q = [1] of { byte };
byte n;

active proctype worker()
{
  byte k;
  { do :: n < 3 -> n++ :: n == 3 -> n = 0 od }
  unless { q?k -> assert(k == 7) }
}
active proctype killer() { n == 2; q!7 }
