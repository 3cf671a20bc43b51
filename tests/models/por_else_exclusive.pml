// expect: violated "assertions and errors"
// options: --por on
// spin: no, it refuses to look at the length of such a channel
// The same where each side has the channel for itself.
chan q = [1] of { byte };

active proctype a() { xs q; q!1 }
active proctype b() { xr q; if :: nempty(q) -> q?_ :: else -> assert(false) fi }
