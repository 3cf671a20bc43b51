// SPDX-License-Identifier: Apache-2.0
// A file of numbers, little-endian and of fixed width, that is there as a whole or not at all. It
// begins with a mark and ends with a checksum over all bytes before it; whoever reads it has
// compared that first, and is never given a byte that is not there. Private to the room.
#pragma once

#include "base/base.h"

// --- writing ---

// What goes wrong on the way is kept until the end.
struct saved_out {
  char *path, *temporary; // a new file in the same folder; it takes the place of the old one
  int fd;
  int error; // errno of the first thing that went wrong, or 0
  uint64_t hash;
  unsigned char *block;
  size_t count; // bytes in the block
  uint64_t at;  // bytes in all
};

// False, with a sentence in why: it cannot be written there.
bool saved_out_open(struct saved_out *o, const char *path, struct text *why);
// The file takes its place. False, with a sentence in why: it could not be written, and what was
// there before is there still.
bool saved_out_commit(struct saved_out *o, struct text *why);
// Nothing happened. Also after saved_out_commit, and of one that was never opened ({0}).
void saved_out_close(struct saved_out *o);

void saved_put(struct saved_out *o, const void *bytes, size_t count);
void saved_put32(struct saved_out *o, uint32_t value);
void saved_put64(struct saved_out *o, uint64_t value);
void saved_put32s(struct saved_out *o, const uint32_t *values, size_t count);
void saved_put64s(struct saved_out *o, const uint64_t *values, size_t count);

// --- reading ---

// What is read from where there is nothing is zero, and `failed` is set.
struct saved_in {
  int fd;
  uint64_t end; // of what may be read: then comes the checksum
  uint64_t at;  // of the next byte
  bool failed;
  unsigned char *block;
  uint64_t first; // of the bytes in the block
  size_t count;   // of them
};

// False, with a sentence in why: there is no such file, or it is none of this kind, or not as it
// was written.
bool saved_in_open(struct saved_in *in, const char *path, struct text *why);
void saved_in_close(struct saved_in *in); // also of one that was never opened ({.fd = -1})

void saved_get(struct saved_in *in, void *bytes, size_t count);
uint32_t saved_get32(struct saved_in *in);
uint64_t saved_get64(struct saved_in *in);
// Into room for as many.
void saved_get32s(struct saved_in *in, uint32_t *values, size_t count);
void saved_get64s(struct saved_in *in, uint64_t *values, size_t count);
// How many items of so many bytes follow, as the file says; if there are not as many bytes left,
// none, and `failed` is set.
size_t saved_get_count(struct saved_in *in, size_t bytes);
