// error: 5:26
// More fields than the channel's messages have.
chan q = [1] of { byte };

active proctype main() { q!1, 2 }
