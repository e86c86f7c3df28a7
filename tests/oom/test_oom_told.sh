#!/bin/sh
# Where memory runs out the answer is that it did, and never another one: no constant that is left as it is, no plan
# without its copies, no number of copies that is not known, no other reason why a proof failed.
set -u
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/oom/survives.sh"
window=$ROOT/models/window
export INLAY_FAIL_RUNS=40

cat >"$scratch/fold.inlay" <<'END'
graph "fold" {
  %x = Parameter-1 {element_type = f32, shape = [64]}
  %i = Const-1 {value = i64[] 0}
  %n = Const-1 {value = i64[] 64}
  %o = Const-1 {value = i64[] 1}
  %c = Range-4(%i, %n, %o) {output_type = f32}
  %e = Exp-1(%c)
  %s = Add-1(%x, %e)
  %r = Result-1(%s)
}
END
# Sizes that only a run knows: the plan goes on with the largest.
cat >"$scratch/sizes.inlay" <<'END'
graph "sizes" {
  %x = Parameter-1 {element_type = f32, shape = [64]}
  %a = Exp-1(%x)
  %y = NonZero-3(%a) {output_type = i64}
  %z = Negative-1(%y)
  %b = Sqrt-1(%a)
  %out = Result-1(%z)
  %end = Result-1(%b)
}
END
# A constant that no kernel computes: the shape rules know it.
cat >"$scratch/known.inlay" <<'END'
graph "known" {
  %x = Parameter-1 {element_type = f32, shape = [2,3]}
  %s = ShapeOf-3(%x)
  %r = Result-1(%s)
}
END
echo 'rule twice exact: Abs(Abs(x)) => Abs(x)' >"$scratch/one.rules"
survives opt "$scratch/fold.inlay"
INLAY_FAIL_RUNS=100000 INLAY_FAIL_WAYS=1 survives opt "$scratch/known.inlay" --passes fold-constants -o known.inlay
survives plan "$scratch/sizes.inlay"
survives plan "$window/second_reader.inlay"
survives explore "$window/window.inlay" --limit 6 --trials 1
survives verify --prove "$window/window.inlay" "$window/window.inlay" --trials 1
# So many steps that each part of a plan meets a block of memory that is missing.
"$BUILD/inlay" convert "$window/chain.json" "$scratch/chain.inlay"
INLAY_FAIL_RUNS=100000 INLAY_FAIL_WAYS=1 survives plan "$scratch/chain.inlay"
# Whether two bodies are equal is asked of whole values, by a pass that joins branches and by a search.
equal_bodies() { # NAME
    sed '/^\/\/ expect:/,$d' "$ROOT/tests/passes/$1" >"$scratch/bodies.inlay"
}
equal_bodies in-place-windows/yes_B3_if.inlay
INLAY_FAIL_RUNS=100000 INLAY_FAIL_WAYS=1 survives verify --prove "$scratch/bodies.inlay" "$scratch/bodies.inlay" --trials 1
equal_bodies inline-bodies/yes_equal.inlay
INLAY_FAIL_RUNS=100000 INLAY_FAIL_WAYS=1 survives opt "$scratch/bodies.inlay" --passes inline-bodies -o out.inlay
survives rules --rules "$scratch/one.rules"
# A certificate says which names go.
cat >"$scratch/twice.inlay" <<'END'
graph "twice" {
  %x = Parameter-1 {element_type = f32, shape = [2]}
  %a = Abs-1(%x)
  %b = Abs-1(%a)
  %r = Result-1(%b)
}
END
INLAY_FAIL_RUNS=100000 INLAY_FAIL_WAYS=1 survives opt "$scratch/twice.inlay" --passes rules,eliminate-dead \
    --rules "$scratch/one.rules" -o out.inlay --certify certificate
survives rules "$window/window.inlay" --rules "$scratch/one.rules" --explain
finish
