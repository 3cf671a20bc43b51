// SPDX-License-Identifier: Apache-2.0
// Loads LLVM's library. It stays loaded: it cannot be unloaded and loaded again.
#include "front/c/llvm.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct row {
  const char *name;
  size_t offset; // in struct llvm
};

static const struct row ROWS[] = {
#define LLVM_ROW(name) {"LLVM" #name, offsetof(struct llvm, name)},
    LLVM_FUNCTIONS(LLVM_ROW)
#undef LLVM_ROW
};

bool llvm_open(struct llvm *l, const char **why) {
  void *library = dlopen(FATHOM_LLVM, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    *why = "C programs need LLVM's library (" FATHOM_LLVM "), which cannot be loaded";
    return false;
  }
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    void *function = dlsym(library, ROWS[i].name);
    if (!function) {
      *why = "LLVM's library (" FATHOM_LLVM ") is of another version than this program needs";
      dlclose(library);
      return false;
    }
    memcpy((char *)l + ROWS[i].offset, &function, sizeof function);
  }
  return true;
}
