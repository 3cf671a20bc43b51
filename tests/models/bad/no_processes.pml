// error: 3:10 nothing runs
// A model without any process that runs.
proctype p() { skip }
