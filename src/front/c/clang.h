// SPDX-License-Identifier: Apache-2.0
// Private to the room: clang, run as a child process.
#pragma once

#include "base/base.h"

struct c_config;

// The bitcode of the source. False with clang's own errors in d; spans in other files than the
// source point into texts that d keeps.
bool clang_compile(const struct source *s, const struct c_config *c, struct text *bitcode,
                   struct diag *d);

// Where errors are told that are of no place in particular.
struct span clang_beginning(const struct source *s);
// The folder that #include "..." of a file looks into first; NULL: ours.
char *clang_folder(const char *path);
// A file that clang or the debug info names, as the user would: beside the source.
char *clang_path(const struct source *s, const char *file);
