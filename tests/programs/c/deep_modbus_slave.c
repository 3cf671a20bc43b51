// SPDX-License-Identifier: Apache-2.0
// A slave on a serial bus answers requests to read and write registers. Each good request is
// counted in a table of statistics by its number; a request is good when its check, a mix of what
// was asked so far, agrees. The table ends at 32.
// expect: violated 47
// check: bounds
// depth: 166
// input: 8 256 8 513 3 1542 3 4629 3 13890 3 41673 3 59486 6 0 35286 6 1 45359 3 5008 3 15027
// input: 3 45084 3 4183 8 4440 3 13323 3 39972 3 54383 3 32080 6 0 29329 3 22454 3 1829 3 5490
// input: 6 1 27454 3 16829 3 50490 3 20401 3 61206 8 61463 6 1 45178 6 1 29292 3 22343 6 0
// input: 46189 3 7498
// hard: yes
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

#define REQUESTS  32
#define REGISTERS 4

static unsigned short registers[REGISTERS];
static unsigned char statistics[REQUESTS];

int main(void) {
  unsigned check = 0xffff;
  int reads = 0, writes = 0, tests = 0;
  while (1) {
    unsigned char function = __VERIFIER_nondet_uchar();
    if (function == 3) {
      check = (check * 3u + 3u) % 65536u;
      reads++;
    } else if (function == 6) {
      unsigned char where = __VERIFIER_nondet_uchar();
      if (where == 0)
        registers[0] = (unsigned short)(registers[0] * 2u + 1u);
      else if (where == 1)
        registers[1] = (unsigned short)(registers[1] + registers[0]);
      else
        return 1;
      check = (check * 5u + registers[1]) % 65536u;
      writes++;
    } else if (function == 8) {
      check = (check + 257u) % 65536u;
      tests++;
    } else {
      return 0;
    }
    if (__VERIFIER_nondet_ushort() != check) return 1;
    statistics[reads + writes + tests - 1] = function;
  }
}
