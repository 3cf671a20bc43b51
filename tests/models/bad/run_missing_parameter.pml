// error: 5:8 parameter
// A run with fewer arguments than the proctype has parameters.
proctype p(byte a, b) { skip }

init { run p(1) }
