// error: 4:35 'undeclared' undeclared
// What the C compiler says about embedded C comes with the place in the model.
byte x;
active proctype main() { c_code { undeclared = now.x; } }
