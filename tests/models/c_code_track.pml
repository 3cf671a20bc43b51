// expect: holds
// states: 613
// c_track: C's own variables are restored and compared; a Matched array and an integer that C
// initialises. The function in c_code works on the state.
c_decl { int counter = 5; unsigned char board[4]; }
c_track "&counter" "sizeof(int)"
c_track "board" "sizeof(board)" "Matched"
c_code {
  static int place(int at) {
    if (board[at]) return 0;
    board[at] = ++now.used;
    counter--;
    return 1;
  }
}
byte used;

active [2] proctype player()
{
  byte at;
  select(at : 0 .. 3);
  if
  :: c_expr { board[Pplayer->at] == 0 } -> c_code { place(Pplayer->at); }
  :: else
  fi;
  at = 0;
  assert(c_expr { counter + now.used == 5 })
}
