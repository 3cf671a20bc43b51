// expect: holds
// states: 3
// options: --merge on
// spin: no, the option is ours
// Steps on a process's own variables are taken together with the step before them: the beginning, all four
// assignments, and the end of the process make three states.
byte g;

active proctype a() { byte x; g = 1; x = 1; x = 2; x = 3 }
