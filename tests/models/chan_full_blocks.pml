// expect: violated "deadlock"
// trace: 2
// Nobody takes anything out of a full channel.
chan q = [2] of { byte };

active proctype s() { q!1; q!2; q!3 }
