// expect: holds
// states: 45
// Values that C writes are cut to fit as in SPIN: bits, unsigned fields, bytes, shorts, arrays of
// bits, structures, in atomic and d_step.
typedef T { byte a; bit b; short c[2] }
bit bt; bool flags[2]; byte by; short sh; int it; unsigned u : 3; mtype = { red, green };
mtype colour = red;
T t[2];

active proctype main()
{
  int k;
  do
  :: k < 6 ->
     atomic { c_code { now.bt = Pmain->k; now.flags[1] = Pmain->k; now.by = 254 + Pmain->k; };
              c_code { now.sh = 32765 + Pmain->k; now.u = 5 + Pmain->k; now.it = -Pmain->k; } }
     d_step { c_code { now.t[1].a = now.by; now.t[1].b = Pmain->k; now.t[0].c[1] = -Pmain->k; };
              assert(t[1].a == by && t[1].b == bt && t[0].c[1] == -k) }
     assert(bt == k % 2 && flags[1] == k && it == -k && u == (5 + k) % 8);
     assert(by == (254 + k) % 256);
     c_code { now.colour = 3 - now.colour; };
     k++
  :: else -> break
  od
}
