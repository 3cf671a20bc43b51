// expect: holds
// states: 7
// A process may stop at an end label.
chan q = [0] of { byte };

active proctype server()
{
  byte x;
end:
  do
  :: q?x -> skip
  od
}
active proctype client() { q!1; q!2 }
