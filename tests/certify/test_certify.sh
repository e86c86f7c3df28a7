#!/bin/sh
# Certificates of `inlay opt --certify`, checked by inlay-check (check/README.md): those of models of the tree are
# accepted, forged ones are not, and the checker has nothing of the library.
set -u
. "$ROOT/tests/tap.sh"

# inlay-check has ended with STATUS, and has not accepted what it was given.
refused() { # NAME STATUS
    if [ "$2" = 1 ]; then pass "$1"; else fail "$1" "$(cat "$scratch/said")"; fi
}
cd "$ROOT" || exit 2
PATH=$BUILD:$PATH
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # the checker gives no memory back
cert=$scratch/cert

certify() { # MODEL [OPTION]...
    rm -f "$cert" "$cert".*
    inlay opt "$@" -o "$scratch/out.inlay" --certify "$cert" >"$scratch/said" 2>&1 || return 1
    model=$1
    result=$scratch/out.inlay
    [ ! -e "$cert.model" ] || model=$cert.model
    [ ! -e "$cert.out" ] || result=$cert.out
}

# Graphs of every pass and every tenth of the rules; those that opt refuses are left out.
: >"$scratch/refused"
accepted=0
for graph in $(git ls-files 'models/*.onnx' 'models/*/*.xml' 'models/*.inlay' 'examples/*.inlay') \
    tests/rules/slice-of-pointwise/yes_divisor.inlay \
    $(git ls-files 'tests/passes/*/*.inlay' 'tests/rules/*/*.inlay' | awk 'NR % 15 == 1'); do
    certify "$graph" || continue
    if inlay-check "$model" "$result" "$cert" >"$scratch/said" 2>&1; then
        accepted=$((accepted + 1))
    else
        echo "$graph: $(tail -1 "$scratch/said")" >>"$scratch/refused"
    fi
done
: >"$scratch/none"
same "$accepted certificates are accepted" "$scratch/none" "$scratch/refused"
if [ "$accepted" -gt 150 ]; then pass "they are many"; else fail "they are many"; fi

# The pipeline with rules that are not exact.
certify models/onnx/transformer/model.onnx --passes aggressive
works "so is one of pipeline aggressive" inlay-check "$model" "$result" "$cert"

# What a wrong rule does is refused where elements are moved, and else stands among what is assumed.
inlay print --full examples/shifted.inlay >"$scratch/shifted.inlay"
certify "$scratch/shifted.inlay" --passes rules --rules examples/wrong.rules
inlay-check "$model" "$result" "$cert" >"$scratch/said"
works "a wrong rule is assumed" grep -q '^accepted, assuming 1 rule of a user: ' "$scratch/said"
cat >"$scratch/turned.inlay" <<'END'
graph "turned" {
  %x = Parameter-1 {element_type = f32, shape = [2,2,2]} : f32[2,2,2]
  %p = Const-1 {value = i64[3] [1, 2, 0]}
  %once = Transpose-1(%x, %p) : f32[2,2,2]
  %back = Transpose-1(%once, %p) : f32[2,2,2]
  %r = Result-1(%back)
}
END
cat >"$scratch/turned.rules" <<'END'
rule turned-twice exact:
  Transpose(Transpose(x, p), p) => Transpose(x, p)
END
certify "$scratch/turned.inlay" --passes rules --rules "$scratch/turned.rules"
inlay-check "$model" "$result" "$cert" >"$scratch/said"
if [ $? = 1 ]; then
    pass "a wrong rule is refused"
else
    fail "a wrong rule is refused" "$(cat "$scratch/said")"
fi

# A step is held to the rule that it names: another one, and what is no instance of it, are refused.
cat >"$scratch/wide.inlay" <<'END'
graph "wide" {
  %x = Parameter-1 {element_type = f32, shape = [?]} : f32[?]
  %a = Negative-1(%x) : f32[?]
  %y = Negative-1(%a) : f32[?]
  %z = Exp-1(%y) : f32[?]
  %r = Result-1(%z)
}
END
certify "$scratch/wide.inlay"
inlay-check --print "$model" "$result" "$cert" >"$scratch/steps"
works "the text of a certificate is one" inlay-check "$model" "$result" "$scratch/steps"
inlay-check "$model" "$result" "$cert" >"$scratch/said"
works "the functions of its conditions are assumed by name" grep -q 'function of conditions has_negatives' "$scratch/said"
for change in 's/negative-twice/relu-twice/' 's/negative-twice/no-such-rule/' 's/%z 0 %x/%z 0 %a/'; do
    sed "$change" "$scratch/steps" >"$scratch/changed"
    ! cmp -s "$scratch/steps" "$scratch/changed" || fail "nothing is changed by $change"
    inlay-check "$model" "$result" "$scratch/changed" >"$scratch/said" 2>&1
    if [ $? = 1 ] || { [ "$change" = 's/negative-twice/no-such-rule/' ] && grep -q 'of a user' "$scratch/said"; }; then
        pass "not with $change"
    else
        fail "not with $change" "$(cat "$scratch/said" "$scratch/steps")"
    fi
done
certify "$scratch/shifted.inlay" --passes rules --rules examples/wrong.rules
inlay-check --rules examples/wrong.rules "$model" "$result" "$cert" >"$scratch/said"
works "and to one of a user, whose text is given" grep -q '^accepted, assuming 1 rule of a user: ' "$scratch/said"
sed 's/=> u/=> Negative(u)/' examples/wrong.rules >"$scratch/other.rules"
inlay-check --rules "$scratch/other.rules" "$model" "$result" "$cert" >"$scratch/said"
refused "not to another one" $?

# Windows that meet, read as if they did not: an instance of read-beside-write, whose condition does not hold.
cat >"$scratch/meet.inlay" <<'END'
graph "meet" {
  %d = Parameter-1 {element_type = f32, shape = [4]} : f32[4]
  %u = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %zero = Const-1 {value = i64[1] [0]}
  %one = Const-1 {value = i64[1] [1]}
  %two = Const-1 {value = i64[1] [2]}
  %three = Const-1 {value = i64[1] [3]}
  %y = SliceScatter-15(%d, %u, %zero, %two, %one, %zero) : f32[4]
  %z = Slice-8(%y, %one, %three, %one, %zero) : f32[2]
  %r = Result-1(%z)
}
END
sed '/%y = /d; s/(%y/(%d/' "$scratch/meet.inlay" >"$scratch/met.inlay"
cat >"$scratch/steps" <<'END'
certificate 1
step 1 %simplify rule %read-beside-write of %simplify
@ %z 0 %d
END
inlay-check "$scratch/meet.inlay" "$scratch/met.inlay" "$scratch/steps" >"$scratch/said"
works "a step whose elements are others is refused, whatever rule it is of" grep -q '^not accepted: step 1.*"z" has another value' \
    "$scratch/said"
sed 's/(%y, %one, %three/(%y, %two, %three/; /%z = /s/f32.2./f32[1]/' "$scratch/meet.inlay" >"$scratch/beside.inlay"
sed '/%y = /d; s/(%y/(%d/' "$scratch/beside.inlay" >"$scratch/met.inlay"
sed -i 's/%one, %three/%two, %three/' "$scratch/steps"
works "and accepted where they are the same" inlay-check "$scratch/beside.inlay" "$scratch/met.inlay" "$scratch/steps"

# A name that went keeps what reads it; one that comes again is another, and new names rest on what there was.
cat >"$scratch/gone.inlay" <<'END'
graph "gone" {
  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %t = Negative-1(%x) : f32[2]
  %y = Exp-1(%t) : f32[2]
  %r = Result-1(%y)
}
END
sed 's/Negative-1(%x)/Abs-1(%x)/' "$scratch/gone.inlay" >"$scratch/again.inlay"
cat >"$scratch/steps" <<'END'
certificate 1
step 2 %simplify
* %t = Abs-1(%x) : f32[2]
END
inlay-check "$scratch/gone.inlay" "$scratch/again.inlay" "$scratch/steps" >"$scratch/said"
works "a name that comes again is another one" grep -q '^not accepted: "y" is not the same in OUT' "$scratch/said"
cat >"$scratch/steps" <<'END'
certificate 1
step 1 %simplify
+ %a = Negative-1(%b) : f32[2]
+ %b = Negative-1(%a) : f32[2]
END
inlay-check "$scratch/gone.inlay" "$scratch/gone.inlay" "$scratch/steps" >"$scratch/said"
works "new names that depend on each other are refused" grep -q '^not accepted: step 1.*depends on itself' "$scratch/said"

cat >"$scratch/steps" <<'END'
certificate 1
step 1 %simplify
@ %y 7 %x
END
inlay-check "$scratch/gone.inlay" "$scratch/gone.inlay" "$scratch/steps" >"$scratch/said" 2>&1
refused "operands that there are not are refused" $?

# The shape of what moves elements follows from its operands: it need not be stated, and another one is none.
sed 's/%y = Exp-1(%t)/%y = Exp-1(%u)/; /%y = /i\  %axes = Const-1 {value = i64[1] [0]}' "$scratch/gone.inlay" |
    sed '/%axes = /a\  %one = Unsqueeze-1(%t, %axes) : f32[1,2]\n  %u = Squeeze-15(%one, %axes) : f32[2]' >"$scratch/once.inlay"
sed 's/Exp-1(%u)/Exp-1(%w)/; s/%u = Squeeze-15(%one, /%w = Squeeze-15(%v, /; s/%one = /%v = /' "$scratch/once.inlay" >"$scratch/other.inlay"
for shape in "" " : f32[1,2]" " : f32[2,1]"; do
    cat >"$scratch/steps" <<END
certificate 1
step 1 %simplify
+ %v = Unsqueeze-1(%t, %axes)$shape
+ %w = Squeeze-15(%v, %axes)
@ %y 0 %w
END
    inlay-check "$scratch/once.inlay" "$scratch/other.inlay" "$scratch/steps" >"$scratch/said" 2>&1
    case $?$shape$(cat "$scratch/said") in
    "0accepted: "* | "0 : f32[1,2]accepted: "* | "1 : f32[2,1]"*) pass "with the shape $shape" ;;
    *) fail "with the shape $shape" "$(cat "$scratch/said")" ;;
    esac
done

# Variables are outputs, too: what only the steps write is refused.
cat >"$scratch/state.inlay" <<'END'
graph "state" {
  variable "v" : f32[2]
  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %s = ReadValue-6(%x) {variable_id = "v"} : f32[2]
  %y = Exp-1(%s) : f32[2]
  %r = Result-1(%y)
}
END
sed '/%r = /i\  %w = Assign-6(%y) {variable_id = "v"} : f32[2]' "$scratch/state.inlay" >"$scratch/written.inlay"
cat >"$scratch/steps" <<'END'
certificate 1
step 1 %simplify
+ %w = Assign-6(%y) {variable_id = "v"} : f32[2]
END
inlay-check "$scratch/state.inlay" "$scratch/written.inlay" "$scratch/steps" >"$scratch/said" 2>&1
refused "a variable that the steps write" $?

sed '/variable "v"/s/f32.2./f32[1]/' "$scratch/state.inlay" >"$scratch/written.inlay"
printf 'certificate 1\n' >"$scratch/steps"
inlay-check "$scratch/state.inlay" "$scratch/written.inlay" "$scratch/steps" >"$scratch/said" 2>&1
refused "a variable of another shape" $?

# What cannot be read is said, and nothing breaks.
sed 's/ {value = i64.1. .0.}//' "$scratch/meet.inlay" >"$scratch/empty.inlay"
inlay-check "$scratch/empty.inlay" "$scratch/met.inlay" "$scratch/steps" >"$scratch/said" 2>&1
if [ $? -le 2 ]; then pass "a constant without a value"; else fail "a constant without a value" "$(cat "$scratch/said")"; fi
printf 'packed 1\n\377\377\377' >"$scratch/short"
inlay-check "$scratch/meet.inlay" "$scratch/met.inlay" "$scratch/short" >"$scratch/said" 2>&1
if [ $? = 2 ]; then pass "a certificate that ends"; else fail "a certificate that ends" "$(cat "$scratch/said")"; fi

# Constants are computed again by another program; here it says something else.
printf '#!/bin/sh\nexec inlay run --quiet --exec reference --passes none "$@"\n' >"$scratch/right"
printf '#!/bin/sh\nprintf wrong >$3/0.npy; printf other >$3/1.npy\n' >"$scratch/wrong"
chmod +x "$scratch/right" "$scratch/wrong"
cat >"$scratch/sum.inlay" <<'END'
graph "sum" {
  %a = Const-1 {value = f32[2] [1, 2]}
  %b = Const-1 {value = f32[2] [0.5, 0.25]}
  %c = Add-1(%a, %b) : f32[2]
  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %y = Multiply-1(%x, %c) : f32[2]
  %r = Result-1(%y)
}
END
certify "$scratch/sum.inlay"
inlay-check "$model" "$result" "$cert" >"$scratch/said"
works "a sum that was folded is assumed" grep -q 'assuming 1 folded constant' "$scratch/said"
inlay-check "$model" "$result" "$cert" --fold "$scratch/right" >"$scratch/said"
works "and computed again" grep -q '^accepted: .* 1 constant computed again' "$scratch/said"
inlay-check "$model" "$result" "$cert" --fold "$scratch/wrong" >"$scratch/said"
refused "another sum is refused" $?

# shellcheck disable=SC2046
works "none of 60 forgeries is accepted" python3 tests/certify/forge.py inlay inlay-check "${INLAY_SEED:-1}" 60 \
    examples/window_change.inlay examples/twice.inlay models/onnx/mobilenet/model.onnx \
    $(git ls-files 'tests/passes/in-place-windows/yes_*.inlay' 'tests/passes/simplify/yes_*.inlay' | awk 'NR % 6 == 1')

# Its only includes are its own, the C library's and two tables.
grep -hE '^#include' check/*.[ch] | grep -vE '<[a-z]+\.h>|"check/check\.h"|"check_rules\.inc"|"ir/ops/ops\.def"' >"$scratch/others"
same "it includes nothing of the library" "$scratch/none" "$scratch/others"

# It takes the place of neither model.
cp examples/folded.inlay "$scratch/kept.inlay"
for names in "$scratch/kept.inlay $scratch/unmade.inlay" "examples/folded.inlay $scratch/kept.inlay"; do
    # shellcheck disable=SC2086
    set -- $names
    inlay opt "$1" -o "$2" --certify "$scratch/kept.inlay" >"$scratch/said" 2>&1
    status=$?
    works "a certificate over a model is refused" test $status = 2 -a ! -e "$scratch/unmade.inlay"
    same "and changes nothing" examples/folded.inlay "$scratch/kept.inlay"
done
finish
