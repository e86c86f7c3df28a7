#!/bin/sh
# Prints the table of README.md, a line for each file of this folder. usage: tests/spellings/rows.sh
set -u
cd "$(dirname "$0")" || exit 2

# The words behind KEY in the head of FILE.
head_of() { # KEY FILE
    sed -n "s~^\(//\|#\) $1: ~~p" "$2"
}

for file in *.onnxtxt *.inlay; do
    [ -e "$file" ] || continue
    name=${file%.*}
    case $name in
    near_*) found="never: a near miss" ;;
    *) found=$(head_of pipeline "$file") ;;
    esac
    case $found in
    default) found="default, exact" ;;
    aggressive) found="aggressive, approx" ;;
    none) found="not yet: $(head_of why "$file")" ;;
    esac
    echo "| $(head_of case "$file") | $(head_of source "$file") | $(head_of becomes "$file") | $found | \`$name\` |"
done
