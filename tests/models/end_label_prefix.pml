// expect: holds
// states: 13
// Every label that begins with end counts, also in the middle.
chan q = [1] of { byte };

active proctype a() { byte x; end_here: q?x; endtoo: q?x; endless: q?x }
active proctype b() { if :: q!1 :: q!1; q!2 :: skip fi }
