// expect: holds
// states: 9
// Values are those at the time of the meeting; the receiver may use a field it receives in the next.
chan c = [0] of { byte, byte };
byte g = 1;

active proctype s() { c!g, g + 1; g = 5; c!g, g }
active proctype r() { byte a, b; c?a, b; assert(a == 1 && b == 2); c?a, eval(g); assert(a == 5) }
