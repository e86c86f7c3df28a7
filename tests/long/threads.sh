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

# The command with four threads, and four runs beside each other: models of the tree, and graphs of operations.
works "the command is built" make -s -C "$ROOT" BUILD="$build" CC=clang CFLAGS='-O1 -g -fsanitize=thread' "${build#"$ROOT"/}/inlay"
cd "$ROOT" || exit 2
export TSAN_OPTIONS=halt_on_error=1
runs=0
for model in $(git ls-files 'models/*.onnx' 'models/*/*.xml' 'models/*/*.inlay' 'examples/*.inlay' | grep -vE 'tiny-gpt|speller|scatter_update_1') \
    $(git ls-files 'tests/ops/*/*.inlay' 'tests/subgraphs/*.inlay' | awk 'NR % 60 == 7'); do
    timeout 120 "$build/inlay" run "$model" --random --threads 4 --quiet >"$scratch/said" 2>&1
    [ $? != 66 ] || fail "$model" "$(head -40 "$scratch/said")"
    runs=$((runs + 1))
done
for model in digits/digits.xml window/window.inlay onnx/mobilenet/model.onnx; do
    works "bench $model" "$build/inlay" bench "models/$model" --random --hint throughput --threads 4
done
echo "# result: $(echo "$tests" | wc -w) programs, $runs models with four threads"
finish
