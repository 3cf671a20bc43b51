// error: 3:49 else
// Two else options in one statement.
active proctype main() { if :: false :: else :: else fi }
