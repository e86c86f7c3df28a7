#!/bin/sh
# Prints "RULE HASH" for each built-in rule, of its text, "FILE HASH" for the files of rules beside this one, and
# "encoder HASH" of all that turns a rule into questions, without comments, which change no question.
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

# Blanks count once, and lines not at all, so that a comment can be broken otherwise, or be beside another line.
encoder() {
    cat passes/prove/*.[ch] | tr -s ' \t\n' ' ' | awk '{
        while ((at = index($0, "/*")) > 0) {
            printf "%s", substr($0, 1, at - 1)
            $0 = substr($0, at)
            $0 = substr($0, index($0, "*/") + 2)
        }
        print
    }' | tr -s ' '
}
echo "encoder $(encoder | sha256sum | cut -c 1-12)"
