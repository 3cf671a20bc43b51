// expect: holds
// states: 10
// printf and printm take mtype values, and are always executable.
mtype = { ping, pong };
mtype x = ping;

active proctype main()
{
  printm(x);
  printf("%e %d %u %c %o %x\n", x, x, x, 65, 8, 255);
  do
  :: x == ping -> x = pong; printm(x)
  :: x == pong -> x = ping; printf("MSC: back\n"); break
  od
}
