#!/bin/sh
# Three analysers over all sources: clang-tidy (bugprone, cert), gcc's -fanalyzer, cppcheck. What they find must stand in
# tests/static/known.txt with its reason, and what stands there must be found.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2
flags="-std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -I. -I$BUILD/gen $(pkg-config --cflags libcjson libxml-2.0 zlib libprotobuf-c)"
checks=-*,bugprone-*,cert-*$(sed -n 's/^\([a-z][a-z0-9-]*\) .*/,-\1/p' tests/static/checks.txt | tr -d '\n')
git ls-files '*.c' | grep -E "${STATIC_FILES:-^(ir|parser|passes|interp|generate|front|cli)/}" >"$scratch/files"

all() { # COMMAND, which is given files
    xargs -P "$(nproc)" -n 8 sh -c "$1" sh <"$scratch/files" 2>&1
}

# FILE:LINE:COLUMN: warning: WORDS [NAME] becomes FILE NAME SOURCE, with tabs between: lines move.
keyed() {
    sed -n "s|^$ROOT/||; s|^\([^: ]*\):\([0-9]*\):[0-9]*: [a-z]*: .*\[\([^]]*\)\]\$|\1 \2 \3|p" | sort -u |
        while read -r file line name; do
            case $file in /*) continue ;; esac
            printf '%s\t%s\t%s\n' "$file" "$name" "$(sed -n "${line}s/^ *//p" "$file")"
        done | sort -u
}

judge() { # ANALYSER, names of what it finds as a pattern
    awk -F '\t' -v names="$2" 'NR == FNR { file[$1]; next } /^#/ { next } $2 ~ names && ($1 in file) { print $1 "\t" $2 "\t" $3 }' \
        "$scratch/files" tests/static/known.txt | sort -u >"$scratch/known"
    same "$1: $(wc -l <"$scratch/found") findings, each known" "$scratch/known" "$scratch/found"
}

if command -v clang-tidy >/dev/null; then
    all "clang-tidy --quiet --checks='$checks' --config='{CheckOptions: [{key: bugprone-assert-side-effect.AssertMacros, value: assert}]}' \"\$@\" -- $flags" |
        keyed >"$scratch/found"
    judge clang-tidy '^(bugprone|cert|clang)-'
else
    skip clang-tidy "it is not there"
fi
# Where untrusted bytes come in and where graphs change; of the kernels gcc's analyser knows too little and takes minutes.
grep -E '^(parser|cli|ir|passes)/' "$scratch/files" >"$scratch/readers"
mv "$scratch/files" "$scratch/all" && cp "$scratch/readers" "$scratch/files"
if gcc -fanalyzer -E - </dev/null >/dev/null 2>&1; then
    all "for f; do gcc $flags -O1 -fanalyzer -fdiagnostics-plain-output -S -o /dev/null \"\$f\"; done" |
        grep -e '-Wanalyzer' | sed 's/ \[CWE-[0-9]*\]//' | keyed >"$scratch/found"
    judge "gcc -fanalyzer" '^-Wanalyzer'
else
    skip "gcc -fanalyzer" "gcc does not have it"
fi
mv "$scratch/all" "$scratch/files"
if command -v cppcheck >/dev/null; then
    all "cppcheck --quiet --std=c11 --inline-suppr --max-configs=8 --enable=warning,performance,portability \
        --suppressions-list=tests/cppcheck.txt --template='{file}:{line}:{column}: {severity}: {message} [{id}]' --template-location= \
        -D__GNUC__=12 -D__linux__ -DPROTOBUF_C_VERSION_NUMBER=1004001 -I. -I$BUILD/gen \"\$@\"" | keyed >"$scratch/found"
    judge cppcheck '^[a-zA-Z]+$'
else
    skip cppcheck "it is not there"
fi
echo "# result: $(wc -l <"$scratch/files") files"
finish
