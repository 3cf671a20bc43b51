// expect: holds
// states: 4
// Another file, found beside this one.
#include "include_file.h"

active proctype main() { shared_value = LIMIT_OF_INCLUDE; assert(shared_value == 6) }
