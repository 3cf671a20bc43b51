// error: 4:3 unknown type name 'a'
// A mistake in C declarations.
c_decl {
  a nothing;
}
active proctype main() { skip }
