// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
int x, y; bool b;
active proctype A() {
  if :: if :: x == 1 -> x = 2 :: x == 3 fi; y = 1
     :: do :: x > 4 -> break :: x < 2 -> x++ od; y = 2
     :: { y == 2; y = 3 }
     :: atomic { x == 7 -> x = 1; y = 2 }
     :: d_step { x == 8 -> x = 1; y = 2 }
     :: skip
     :: else -> y = 4
  fi;
  do
  :: if :: if :: x == 1 :: y == 1 fi :: b fi
  :: b -> break
  :: x == 5 -> goto out
  :: goto out
  :: break
  od;
out: skip;
  if :: true fi
}
active proctype B() {
  if :: x == 1 -> L1: x = 2 :: L2: x = 3; y = 2 fi;
  goto L2;
  x = 4;
  L3: goto L1
}
