// expect: violated "apart"
// options: --por on
// Formulas see where processes are: steps that change nothing else are visible.
active proctype a() { skip; here: skip; skip }
active proctype b() { skip; there: skip; skip }
ltl apart { [] !(a@here && b@there) }
