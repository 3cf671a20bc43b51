// error: 3:10 unknown type name 'nothing'
// A type of C that there is not.
c_state "nothing x" "Global"
active proctype main() { skip }
