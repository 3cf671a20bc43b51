// expect: violated "deadlock"
// trace: 5
// The same without a label is an invalid end state.
chan q = [0] of { byte };

active proctype server() { byte x; do :: q?x -> skip od }
active proctype client() { q!1; q!2 }
