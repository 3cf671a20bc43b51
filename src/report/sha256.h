// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for witnesses, which name files by it. Private to the room.
#pragma once

#include <stddef.h>

#define SHA256_TEXT 65 // 64 hexadecimal digits and the end
void sha256_text(const void *data, size_t bytes, char text[SHA256_TEXT]);
