// SPDX-License-Identifier: Apache-2.0
// Private to the room: the folder of compiled models. Everything in it was made by this user and
// can be changed by nobody else; anything that does not look so is not used.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CACHE_KEY_BYTES 33 // 32 hexadecimal digits and a NUL

// The folder ($XDG_CACHE_HOME/fathom or ~/.cache/fathom), made if need be. NULL: there is none that
// is private and has room; then nothing is cached. The caller frees the path.
char *cache_folder(void);
void cache_key(char key[CACHE_KEY_BYTES], const void *data, size_t bytes);

// The path of the object stored under a key, whole and private, or NULL. The caller frees it.
char *cache_lookup(const char *folder, const char *key);
// Marks a finished object, so that cache_lookup can tell whether it is whole; then moves it into
// the folder under its key, and removes the oldest objects when there are many.
bool cache_seal(const char *object);
bool cache_publish(const char *folder, const char *key, const char *object);
void cache_drop(const char *folder, const char *key);

// A fresh private folder to compile in, inside `folder` or, without one, where temporary files go.
char *cache_build_folder(const char *folder);
void cache_remove_build_folder(const char *path);
