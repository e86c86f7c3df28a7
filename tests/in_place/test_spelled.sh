#!/bin/sh
# Each line of spelled.txt is one update in four spellings: each copies as many bytes as the line says, and gives what
# the reference executor gives for the first of them.
set -u
. "$ROOT/tests/tap.sh"
here=$ROOT/tests/in_place

# A file for each spelling, N.WHO.inlay or .onnxtxt, and one for each line, N.line.
awk -v to="$scratch" '
function begin(who) {
    close(file)
    file = to "/" n "." who (who == "openvino" ? ".inlay" : ".onnxtxt")
    if (who == "openvino")
        print "graph \"g\" {" > file
    else
        print "<ir_version: 10, opset_import: [\"\" : 24, \"com.microsoft\" : 1]>\ng (" takes ") => (" gives ") <" knows ">\n{" > file
}
function end() { if (file) print "}" > file; close(file); file = "" }
/^line / { end(); n++; knows = ""; sub(/^line /, ""); print > (to "/" n ".line"); next }
/^takes / { takes = substr($0, 7); next }
/^gives / { gives = substr($0, 7); next }
/^knows / { knows = substr($0, 7); next }
/^(copies|run) / { print > (to "/" n ".line"); next }
/^(script|dynamo|openvino|hand)$/ { end(); begin($0); next }
/^  / { print > file }
END { end() }' "$here/spelled.txt"

# Runs a spelling, and says in $scratch/why what is wrong.
spelled() { # LINE-FILE FILE OPTIONS...
    want=$(sed -n 's/^copies //p' "$1")
    file=$2
    shift 2
    "$BUILD/inlay" run "$file" --random --quiet --stats "$scratch/stats" -o "$scratch/ours" "$@" \
        >"$scratch/why" 2>&1 &&
        "$BUILD/inlay" compare "$scratch/ours" "$scratch/theirs" >"$scratch/why" 2>&1 || return
    copied=$(sed 's/.*"copied_bytes": \([0-9]*\).*/\1/' "$scratch/stats")
    [ "$copied" = "$want" ] && return
    echo "copies $copied bytes, not $want" >"$scratch/why"
    return 1
}

i=1
while [ -f "$scratch/$i.line" ]; do
    name=$(head -1 "$scratch/$i.line")
    # shellcheck disable=SC2046
    set -- $(sed -n 's/^run //p' "$scratch/$i.line")
    rm -rf "$scratch/theirs"
    "$BUILD/inlay" run "$scratch/$i.script.onnxtxt" --random --quiet --passes none --exec reference \
        -o "$scratch/theirs" "$@" >"$scratch/why" 2>&1 || fail "$name: the reference" "$(cat "$scratch/why")"
    for who in script dynamo openvino hand; do
        rm -rf "$scratch/ours"
        if spelled "$scratch/$i.line" "$scratch/$i.$who".* "$@"; then
            pass "$name: $who"
        else
            fail "$name: $who" "$(cat "$scratch/why")"
        fi
    done
    i=$((i + 1))
done
[ $i -gt 39 ] && pass "all lines were found" || fail "all lines were found" "$i"
finish
