#!/bin/sh
# The tests that start threads, under ThreadSanitizer.
set -u
. "$ROOT/tests/tap.sh"
build=$BUILD/tsan
tests=$(cd "$ROOT" && grep -lE "pthread_create|program_split" tests/unit/test_*.c | xargs -n1 basename | sed 's/\.c$//')

# The Makefile names what is in the checkout by relative paths.
# shellcheck disable=SC2046
works "they are built" make -s -C "$ROOT" BUILD="$build" CC=clang CFLAGS='-O1 -g -fsanitize=thread' \
    $(for test in $tests; do echo "${build#"$ROOT"/}/tests/$test"; done)
for test in $tests; do
    works "$test" env INLAY_SLOW=1 TSAN_OPTIONS=halt_on_error=1 "$build/tests/$test"
done
echo "# result: $(echo "$tests" | wc -w) programs"
finish
