#!/bin/sh
# Files that are wrong, in every format: each is refused with its status and one message that says where, within bounds
# of time, memory and words (bad/README.md).
set -u
. "$ROOT/tests/tap.sh"

python=$(python_with_numpy)
if [ -z "$python" ]; then
    skip "files that are wrong" "there is no python3 with numpy"
    finish
    exit
fi
$CC -std=c11 -D_DEFAULT_SOURCE -O1 -o "$scratch/peak" "$ROOT/tests/memory/peak.c" || exit 2
for what in 'array f32' 'picture u8'; do
    cat >"$scratch/${what% *}.inlay" <<END
graph "g" {
  %x = Parameter {element_type = ${what#* }, shape = [...]}
  %r = Result(%x)
}
END
done
PYTHONPATH=$ROOT/tests/reference "$python" -B "$ROOT/tests/parser/bad/cases.py" "$scratch" "$BUILD/inlay" "$scratch/peak"
