# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the programs of tests/programs/c say about themselves, in comments at their beginning:
#   expect: holds, or: violated LINE...     check: what --check is given     input: values on which the native program fails
#   depth: about how many blocks a shortest run to the error has          long: why it is left to `make test-long`

key() { sed -n -e "/^[^/]/q" -e "s|^// $1: *||p" "$2"; } # KEY PROGRAM

# The compiler and the flags under which an error of the program is one at run time.
compiler_of() { # PROGRAM
  local checks
  checks=$(key check "$1")
  case $checks in
  *uninit*) echo "clang -fwrapv -fsanitize=memory -fno-sanitize-recover=all" ;;
  *overflow*) echo "gcc -fsanitize=address,undefined -fno-sanitize-recover=all" ;;
  *bounds* | *null* | *div*) echo "gcc -fwrapv -fsanitize=address,undefined -fno-sanitize=shift -fno-sanitize-recover=all" ;;
  *) echo "gcc -fwrapv" ;;
  esac
}
