#!/bin/sh
# What ARCHITECTURE.md names is there: each `function()`, each `path/`, each path of a file.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

git ls-files -co --exclude-standard 'ir/*' 'parser/*' 'passes/*' 'interp/*' 'cli/*' >"$scratch/files"
# A function of the op table may come out of a macro with its name: eval_abs of UNARY(abs, ...).
for name in $(grep -o '[`a-z_]*[a-z_]*()' ARCHITECTURE.md | tr -d '`()' | sort -u); do
    short=${name#eval_}
    grep -E '\.c$' "$scratch/files" | xargs grep -qE "^[a-z][A-Za-z_0-9 ]*[ *]$name\(|^[A-Z_]+\($short," || echo "$name()"
done >"$scratch/missing"
same "every function of the page is there" /dev/null "$scratch/missing"

for path in $(grep -oE '`[a-z]+/[A-Za-z_./*-]*`' ARCHITECTURE.md | tr -d '`' | sort -u); do
    # shellcheck disable=SC2086
    ls -d $path >/dev/null 2>&1 || echo "$path"
done >"$scratch/missing"
same "every file of the page is there" /dev/null "$scratch/missing"
finish
