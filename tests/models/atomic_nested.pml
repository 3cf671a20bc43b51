// expect: holds
// states: 13
// atomic and d_step within atomic, through inlines.
byte x;

inline bump() { atomic { x++; x++ } }
inline drop() { d_step { x--; x-- } }

active [2] proctype a() { atomic { bump(); bump(); drop(); assert(x % 2 == 0) }; drop() }
