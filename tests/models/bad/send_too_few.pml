// error: 5:26 2 fields
// Fewer fields than the channel's messages have (a receive may name fewer).
chan q = [1] of { byte, byte };

active proctype main() { q!1 }
