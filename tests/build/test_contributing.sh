#!/bin/sh
# CONTRIBUTING.md is followed to the letter in a copy of the tree: each block of code goes to the end of the file that the
# line before it names, and then the operation has its tests passed, and the rule.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2
tree=$scratch/tree
mkdir "$tree"
git ls-files -co --exclude-standard | grep -v '^tests/fuzz/found/' | cpio -pdm --quiet "$tree" 2>/dev/null ||
    git ls-files -co --exclude-standard | tar -cf - -T - | tar -C "$tree" -xf -

# Prints the number of blocks that were put somewhere.
follow() {
    awk -v tree="$tree" '
        /^`[a-z]+\/[^`]*`/ { file = $0; sub(/^`/, "", file); sub(/`.*/, "", file) }
        /^```/ && inside { inside = 0; file = ""; close(path); next }
        /^```/ && file != "" {
            inside = 1
            n++
            path = tree "/" file
            folder = path
            sub(/\/[^\/]*$/, "", folder)
            system("mkdir -p \"" folder "\"")
            if (path ~ /\.(c|def|rules)$/) print "" >>path
            next
        }
        inside { print >>path }
        END { print n + 0 }' CONTRIBUTING.md
}

if [ "$(follow)" = 9 ]; then pass "every block has a file"; else fail "every block has a file"; fi
cd "$tree" || exit 2
# What is built already is not built again.
mkdir "$tree/build"
for part in flags objects rule-files gen host obj; do cp -a "$BUILD/$part" "$tree/build/"; done
export ROOT="$tree" BUILD="$tree/build"
if ${MAKE:-make} -s BUILD=build "CC=${CC:-cc}" "CFLAGS=${CFLAGS:-}" "LDFLAGS=${LDFLAGS:-}" build/inlay build/tests/golden build/tests/test_ops \
    build/tests/test_rule_files build/tests/test_square >"$scratch/log" 2>&1; then
    pass "it builds"
else
    fail "it builds" "$(tail -20 "$scratch/log")"
fi
works "the operation is listed" sh -c 'build/inlay ops | grep -q "^Square-1 "'
# What failed, and where: a program says more than that.
quietly() { # PROGRAM
    "$1" >"$scratch/said" 2>&1 || { grep -v '^ok' "$scratch/said" && false; }
}

works "tests of operations" quietly build/tests/test_ops
works "tests of rules" quietly build/tests/test_rule_files
works "a test that is a program" quietly build/tests/test_square
works "a golden file" build/tests/golden tests/golden/square.t
finish
