# For shell tests: . "$ROOT/tests/tap.sh". Each test prints its line of TAP; `finish` prints the plan.
# shellcheck shell=sh
count=0
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT

pass() { # NAME
    count=$((count + 1))
    echo "ok $count - $1"
}

fail() { # NAME [DETAILS]
    count=$((count + 1))
    echo "not ok $count - $1"
    [ -z "${2:-}" ] || printf '%s\n' "$2" | sed 's/^/# /'
}

skip() { # NAME WHY
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

# The two files must hold the same text.
same() { # NAME EXPECTED-FILE ACTUAL-FILE
    if difference=$(diff "$2" "$3"); then pass "$1"; else fail "$1" "$difference"; fi
}

# The command must succeed; what it printed is shown if it does not, and is left in $scratch/output.
works() { # NAME COMMAND...
    name=$1
    shift
    if "$@" >"$scratch/output" 2>&1; then pass "$name"; else fail "$name" "$(tail -20 "$scratch/output")"; fi
}

# Prints the name of a Python with numpy, if there is one.
python_with_numpy() {
    for candidate in python3 /usr/bin/python3; do
        if "$candidate" -c 'import numpy' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
}

finish() {
    echo "1..$count"
}
