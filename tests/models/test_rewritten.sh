#!/bin/sh
# Every model of the tree, and of the corpus where it is here, that runs: rewritten by the default pipeline
# it is the same function, and the rewritten graph survives each format, with INLAY_SLOW one of them in turn.
set -u
. "$ROOT/tests/tap.sh"
PATH=$BUILD:$PATH

# The 1.5 GB of updates of scatter_update_1 would take minutes and prove nothing that scatter_update_2 does not.
models() {
    find "$ROOT/models" \( -name '*.xml' -o -name '*.json' -o -name '*.inlay' \) ! -name '*.schema.json' ! -name 'scatter_update_1.*'
    [ -z "${INLAY_SHARED:-}" ] || find "$INLAY_SHARED/corpus" -name '*.xml' ! -path '*/checks/*'
}

runs() {
    inlay run "$1" --random --max-memory 1G >/dev/null 2>"$scratch/why"
}

compared=0
for model in $(models | sort); do
    name=${model#"$ROOT"/}
    runs "$model" || continue
    compared=$((compared + 1))
    endings='xml json inlay'
    # shellcheck disable=SC2086
    [ -z "${INLAY_SLOW:-}" ] || endings=$(echo $endings | cut -d ' ' -f $((compared % 3 + 1)))
    for ending in $endings; do
        if [ $ending = xml ]; then trials=2; else trials=1; fi
        out=$scratch/out.$ending
        if ! inlay opt "$model" -o "$out" >"$scratch/log" 2>&1; then
            fail "$name: opt -o out.$ending" "$(cat "$scratch/log")"
        elif ! inlay verify --trials $trials "$model" "$out" >"$scratch/log" 2>&1; then
            fail "$name: the rewritten graph ($ending) is another function" "$(cat "$scratch/log")"
        else
            pass "$name, rewritten, as $ending"
        fi
    done
done
if [ "$compared" -ge 20 ]; then pass "$compared models were compared"; else fail "only $compared models run" ""; fi
finish
