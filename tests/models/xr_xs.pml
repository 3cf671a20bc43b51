// expect: holds
// states: 7
// Exclusive ends of channels.
chan q = [1] of { byte };

active proctype s() { xs q; q!1; q!2 }
active proctype r() { byte x; xr q; q?x; q?x }
