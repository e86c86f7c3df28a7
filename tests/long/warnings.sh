#!/bin/sh
# What gcc says at -O3 of all that is compiled, variables that may have no value among it.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2
works "no warning at -O3" make -s BUILD="$BUILD/werror-O3" CC=gcc CFLAGS='-O3 -Wmaybe-uninitialized -Werror' compiled
finish
