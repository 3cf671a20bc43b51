// expect: holds
// states: 130
// A record is sent and received as its fields, in their order.
typedef item { byte number; bit last };
chan q = [2] of { item, byte };

active proctype producer()
{
  item it;
  do
  :: it.number < 3 -> q!it, 7; it.number++
  :: else -> it.last = 1; q!it, 9; break
  od
}

active proctype consumer()
{
  item got;
  byte tag, expected;
  do
  :: q?got, tag ->
    assert(got.number == expected);
    expected++;
    if
    :: got.last -> assert(tag == 9); break
    :: else -> assert(tag == 7)
    fi
  od
}
