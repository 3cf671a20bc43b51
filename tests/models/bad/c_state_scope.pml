// error: 3:1 c_state: there is no proctype 'nobody'
// Memory of a process that does not exist.
c_state "int x" "Local nobody"
active proctype main() { skip }
