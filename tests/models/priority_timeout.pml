// expect: holds
// states: 12
// Who waits for a timeout gives way to a process of a higher priority that waits for it, too.
byte y;

active proctype low() priority 1 { do :: timeout -> y++ :: y > 3 -> break od }
active proctype high() priority 3 { (y >= 2); y = 5; timeout; skip }
