// error: 4:42 variables_of_another_process
// A process sees its own variables only.
active proctype b() { byte y; y = 1 }
active proctype a() { byte x; c_code { Pb->y = 1; } }
