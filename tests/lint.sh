#!/bin/sh
# What `make lint` checks: formatting, static analysis, warnings of the other compiler, scripts.
# usage: tests/lint.sh C-FILE...     Ends with status 1 and the findings if there are any.
set -u
cd "$(dirname "$0")/.." || exit 2
failed=0

check() { # NAME COMMAND...
    name=$1
    shift
    if output=$("$@" 2>&1); then
        echo "lint: $name: fine"
    else
        printf '%s\nlint: %s: failed\n' "$output" "$name"
        failed=1
    fi
}

scripts() {
    git ls-files '*.sh' .ci | while read -r script; do
        case $(head -1 "$script") in
        *bash*) bash -n "$script" ;;
        *) sh -n "$script" ;;
        esac || exit 1
    done
}

# Tests put wrong things in on purpose, so only the sources of the library and the command are analysed.
# tests/cppcheck.txt leaves out: missing includes (system headers are not read); variables that may be
# uninitialised (the compilers find those with fewer false alarms); scanf in the host program, whose fields are
# as long as its buffers; a division that a tensor without elements never reaches; an index after a check of the
# rank that the analyser does not see through; NULL for the format of a function that takes arguments for one.
analyse() {
    cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr --max-configs=1 -j "$(nproc)" \
        --enable=warning,performance,portability --suppressions-list=tests/cppcheck.txt \
        -D__GNUC__=12 -D__linux__ -DPROTOBUF_C_VERSION_NUMBER=1004001 -I. -Ibuild/gen \
        $(printf '%s\n' "$@" | grep -E '^(ir|parser|passes|interp|generate|front|cli)/.*\.c$')
}

# Lines of prose end before 120 characters; tables and code may be longer.
prose() {
    ! git ls-files '*.md' | xargs awk '
        FNR == 1 { code = 0 }
        /^ *```/ { code = !code }
        !code && !/^ *\|/ && !/^    / && length($0) > 119 { print FILENAME ":" FNR ": " length($0) " characters" }' |
        grep .
}

# A drawing in a comment, wider than a line of code may be, is left as it was drawn.
drawings() {
    drawn='/* What becomes of it:
 *
 *     %past = Parameter                        %past = Parameter         what the variable begins with
 *     %new = Concat(%past, %token)    =>       %state = ReadValue(%past)
 */
int x; /* so that a long comment of a field stays beside the field, and not its type above its name */'
    [ "$(printf '%s\n' "$drawn" | clang-format --assume-filename=drawn.c)" = "$drawn" ]
}

# A jump hides which ways lead to a line.
jumps() {
    ! printf '%s\n' "$@" | xargs grep -nE '^[[:space:]]*goto '
}

check prose prose
check jumps jumps "$@"
check drawings drawings
check format clang-format --dry-run -Werror "$@"
check analysis analyse "$@"
check warnings "${MAKE:-make}" werror
check scripts scripts
check includes sh tests/unit/test_includes.sh
check rooms sh tests/unit/test_rooms.sh
exit $failed
