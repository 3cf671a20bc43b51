// SPDX-License-Identifier: Apache-2.0
// Included by include_file.pml.
#define LIMIT_OF_INCLUDE 6
byte shared_value;
