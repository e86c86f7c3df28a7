#!/bin/sh
# Prints "RULE HASH" for each built-in rule, of its text, "FILE HASH" for the files of rules beside this one, and
# "encoder HASH" of all that turns a rule into questions.
set -eu
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT

awk -v dir="$scratch" '
    /^rule / { file = dir "/" $2; printf "" >file }
    /^\/\// || NF == 0 { file = "" }
    file != "" { print >file }' passes/rules/*.rules
for rule in "$scratch"/*; do
    echo "$(basename "$rule") $(sha256sum <"$rule" | cut -c 1-8)"
done
for file in xla user wrong wrong-reals; do
    echo "$file.rules $(sha256sum <tests/prove/$file.rules | cut -c 1-8)"
done
echo "encoder $(cat passes/prove/*.[ch] | sha256sum | cut -c 1-12)"
