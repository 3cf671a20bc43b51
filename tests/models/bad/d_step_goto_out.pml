// error: 3:41 jump
// A jump out of a d_step.
active proctype main() { d_step { skip; goto out; skip }; out: skip }
