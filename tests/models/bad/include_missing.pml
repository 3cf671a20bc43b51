// error: 3:10 no_such_file.h
// An included file that is not there.
#include "no_such_file.h"
active proctype main() { skip }
