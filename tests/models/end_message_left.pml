// expect: holds
// states: 4
// Messages left in a channel do not matter at the end (only with pan -q).
chan q = [2] of { byte };

active proctype a() { q!1; q!2 }
