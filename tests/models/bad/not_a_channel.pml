// error: 5:26
// A message to something that is no channel.
byte q;

active proctype main() { q!1 }
