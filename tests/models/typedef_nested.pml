// expect: holds
// states: 21
// Records in records, arrays in both, copied field by field.
typedef point { byte x, y };
typedef shape {
  bit filled;
  point corner[3];
  short weight = -5
};
shape s[2], spare;
byte k;

active proctype main()
{
  shape mine;
  assert(s[1].weight == -5 && mine.weight == -5);
  do
  :: k < 3 -> s[1].corner[k].x = k; s[1].corner[k].y = 10 * k; k++
  :: else -> break
  od;
  k = 1;
  mine.corner[k].y = s[k].corner[k + 1].y;
  assert(mine.corner[1].y == 20 && s[0].corner[1].y == 0);
  s[mine.corner[0].x].filled = 1;
  assert(s[0].filled && !s[1].filled)
}
