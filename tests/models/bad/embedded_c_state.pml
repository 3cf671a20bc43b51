// error: 3:1 c_state
// Embedded C in the state.
c_state "int x" "Global"
active proctype main() { skip }
