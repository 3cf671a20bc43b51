// expect: holds
// states: 15
// The moves of dying are steps: three processes end in their order.
active [3] proctype p() { skip }
