// expect: holds
// states: 9
// A sender and a receiver that can meet keep timeout false; one alone does not.
chan c = [0] of { byte };
byte got;

active proctype s() { c!1; c!2 }
active proctype r() { byte x; c?x; got = x; timeout -> assert(got == 1); c?x; got = x }
