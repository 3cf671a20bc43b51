// error: 5:17 run
// No process can be started inside a d_step.
proctype p() { skip }

init { d_step { run p(); skip } }
