-- expect: holds
-- states: 20916
-- rules: 112932
-- Guards that native code answers for all elements of an array at once: a field equal or unequal to
-- a constant or an outer parameter, Booleans, an element that a variable names, rulesets over a
-- part of the index, parameters with one value, fields that lie in two words, quantifiers.
const N : 6;
type
  node : 1..N;
  one : 3..3;
  mode : enum { Off, Low, High };
  cell : record m : mode; busy : boolean; peer : node; end;
var
  at : array [node] of cell;
  grid : array [1..3] of array [one] of mode;
  long : array [0..20] of 0..9; -- 84 bits
  turn : node;

function calm(n : node) : boolean;
begin
  return at[n].m != High;
end;

startstate begin
  for n : node do at[n].m := Off; at[n].busy := false; at[n].peer := n; end;
  for i : 1..3 do grid[i][3] := Off; end;
  for i := 0 to 20 do long[i] := 0; end;
  turn := 2;
end;

ruleset n : 2..4 do
  rule "start" at[n].m = Off & !at[n].busy & turn = n ==> begin at[n].m := Low; end;
  rule "raise" at[n].m = Low & calm(n) & turn = n ==> begin
    at[n].m := High;
    at[n].busy := true;
  end;
  rule "stop" at[n].m != Off & at[n].busy ==> begin at[n].m := Off; at[n].busy := false; end;
end;

ruleset n : 2..4; p : node do
  rule "peer" n != p & at[n].m = Low & at[n].peer = n & at[p].m = at[p].m & at[p].peer = p & p < 5
  ==> begin at[n].peer := p; end;
  rule "back" at[n].peer = p & n != p & at[p].m = Off ==> begin at[n].peer := n; end;
end;

ruleset o : one; i : 1..3 do
  rule "grid" grid[i][o] = Off & turn = i ==> begin grid[i][o] := Low; end;
  rule "clear" Low = grid[i][o] & turn != i ==> begin grid[i][o] := Off; end;
end;

ruleset k : 14..18 do
  rule "long" long[k] = 0 & turn = 4 & k = 16 ==> begin long[k] := 1; turn := 2; end;
end;

rule "turn" turn < 4 ==> begin turn := turn + 1; end;
rule "again" turn = 4 & long[16] = 1 ==> begin turn := 2; end;

invariant "high ones are busy" forall n : node do at[n].m = High -> at[n].busy end;
invariant "one grid cell or none is high"
  !(exists i : 1..3 do exists o : one do grid[i][o] = High end end);
invariant "two"
  forall a : node do forall b : node do
    a != b & at[a].m = High & at[b].m = High -> at[a].busy & (at[b].busy | at[b].peer = a) end end;
