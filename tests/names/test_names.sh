#!/bin/sh
# A model whose every name holds what commands a terminal, an end of line, more characters than anybody reads, bytes
# that are no UTF-8: whatever a command prints, and in whatever format the model is, has no such byte. What is JSON
# stays JSON.
set -u
. "$ROOT/tests/tap.sh"
cd "$scratch" || exit 2

# ESC, BEL, an end of line, the CSI of one character, the direction of text, DEL, and what is no UTF-8.
long=$(awk 'BEGIN { while (n++ < 10000) printf "n" }')
tame='\\x7f\\xc2\\x9b\\xe2\\x80\\xae'
hostile="\\\\x1b[31m\\\\x07\\\\nfake: error: forged$tame"
cat >text <<'END'
graph "g NAME" {
  %"x NAME" = Parameter {element_type = f32, shape = [2,2]}
  %"e NAME" = Exp(%"x NAME")
  %"v NAME" = ReadValue(%"e NAME") {variable_id = "state NAME", variable_type = f32, variable_shape = [2,2]}
  %"a NAME" = Add(%"v NAME", %"e NAME")
  %"s NAME" = Assign(%"a NAME") {variable_id = "state NAME"}
  %"k NAME" = Const {value = string[1] ["text NAME"]}
  %"r NAME" = Result(%"a NAME")
  %"t NAME" = Result(%"k NAME")
}
END
sed "s/NAME/$hostile\\\\xff$long/g" text >m.inlay
sed "s/NAME/$hostile$long/g" text >utf8.inlay
sed "s/NAME/$tame$long/g" text >tame.inlay
"$BUILD/inlay" convert utf8.inlay m.json >said 2>&1 || fail "a model as .json" "$(head -c 300 said)"
"$BUILD/inlay" convert tame.inlay m.xml >said 2>&1 || fail "a model as .xml" "$(head -c 300 said)"

python=$(command -v python3 || true)
clean() { # NAME: stdout and stderr
    bad=$(cat stdout stderr | LC_ALL=C tr -d '\n' | LC_ALL=C tr -cd '\000-\037\177' | od -An -c | head -3)
    [ -n "$bad" ] || bad=$(cat stdout stderr | LC_ALL=C grep -c "$(printf '\302\233')\|$(printf '\342\200\256')" | sed '/^0$/d')
    [ -n "$bad" ] || bad=$(grep -n '^fake: error' stdout stderr)
    if [ -n "$bad" ]; then fail "$1" "$bad"; else pass "$1"; fi
}
says() { # COMMAND...
    timeout 60 "$BUILD/inlay" "$@" >stdout 2>stderr </dev/null
    clean "inlay $*"
}
json() { # COMMAND...
    timeout 60 "$BUILD/inlay" "$@" >stdout 2>stderr </dev/null
    [ -z "$python" ] || "$python" -c 'import json, sys; json.load(sys.stdin)' <stdout 2>trace ||
        fail "inlay $* is JSON" "$(tail -1 trace)"
    clean "inlay $*"
}

for m in m.json m.xml; do
    says info $m
    says plan $m
    says run $m --random
    json run $m --random --quiet --stats -
    says verify $m m.inlay --trials 1 --values
    says print $m --full
done
m=m.inlay
says info $m
json info $m --json
says plan $m
json plan $m --json
says run $m --random --digest
says run $m
says run $m -i nobody=1 --expect nothing=x.npy
says bench $m -t 0.01 --steps
says opt $m --explain --verbose
says opt $m --verify
says print $m --dot
says diff $m tame.inlay
json diff $m tame.inlay --json
json explore $m --limit 5 --json
says rules $m --explain
json rules $m --json
says bisect $m --trials 1
says reduce $m --test false
says convert $m out.onnx --verbose
says view $m -o out.html
# Messages quote no more than people read.
name=$(printf '%060000d' 0 | tr 0 n)
cat >long.inlay <<END
graph "g" {
  %$name = Parameter {element_type = f32, shape = [2]}
  %r = Result(%$name)
}
END
for c in "run m.inlay" "info m.inlay" "plan m.inlay" "run long.inlay" "info long.inlay"; do
    # shellcheck disable=SC2086
    "$BUILD/inlay" $c -i nobody=1 --shape nobody=1 >stdout 2>stderr </dev/null
    # shellcheck disable=SC2086
    "$BUILD/inlay" $c >stdout 2>>stderr </dev/null
    longest=$(awk '{ n = length($0); if (n > most) most = n } END { print most + 0 }' stderr)
    if [ "$longest" -lt 1500 ]; then pass "messages of inlay $c"; else fail "messages of inlay $c" "$longest characters"; fi
done
finish
