#!/bin/sh
# --max-memory bounds what the process holds: each command would take far more than the limit of 64 MiB, must
# end with status 3 or do without, and the most memory it had stays near the limit.
set -u
. "$ROOT/tests/tap.sh"

$CC -std=c11 -D_DEFAULT_SOURCE -O1 -o "$scratch/peak" "$ROOT/tests/memory/peak.c" || exit 2
cd "$scratch" || exit 2
limit=67108864
most=$((limit / 1024 * 3 / 2)) # KiB: the limit, the program, what malloc holds back, the file that is mapped

bounded() { # STATUS MESSAGE COMMAND...
    wanted=$1 message=$2
    shift 2
    PEAK=$scratch/kib timeout 120 ./peak "$BUILD/inlay" "$@" --max-memory $limit >stdout 2>stderr </dev/null
    status=$?
    kib=$(cat kib)
    if [ "$status" != "$wanted" ] || ! grep -q "$message" stderr; then
        fail "inlay $*" "status $status: $(head -c 600 stderr)"
    elif [ "$kib" -gt $most ]; then
        fail "inlay $*" "$kib KiB were in use, the limit is $((limit / 1024))"
    else
        pass "inlay $*"
    fi
}

loop() { # BODY: of a loop that joins %part of each iteration
    cat <<END
graph "loop" {
  %x = Parameter-1 {element_type = f32, shape = [4]}
  %trip = Const-1 {value = i64[] 100000000}
  %go = Const-1 {value = boolean[] true}
  %loop:1 = Loop-5(%trip, %go, %x)
    body "parts" {
      %a = Parameter-1 {element_type = f32, shape = [4]}
      %more = Const-1 {value = boolean[] true}
      $1
      %part = Result-1(%p)
      %condition = Result-1(%more)
    }
    in 2 -> %a
    out %part -> 0 axis 0 start 0 end -1 stride 1 part_size 1
    out %condition -> none condition
  %result = Result-1(%loop)
}
END
}

# What a small tensor costs is not its elements.
loop '%p = ReLU-1(%a)' >small.inlay
bounded 3 'memory limit' run small.inlay --random
bounded 3 'memory limit' run small.inlay --random --exec reference

# The characters of strings are not in the elements of their tensor.
awk 'BEGIN { print "graph \"strings\" {\n  %x = Parameter-1 {element_type = string, shape = [1]}"
    for (i = 0; i < 28; i++) printf "  %%c%d = StringConcat-20@onnx20(%%%s, %%%s)\n", i, v = i ? "c" (i - 1) : "x", v
    print "  %r = Result-1(%c27)\n}" }' >strings.inlay
bounded 3 'memory limit' run strings.inlay --random
bounded 3 'memory limit' run strings.inlay --random --exec reference

# A view is a tensor too, and so is the same one again and again.
loop '%b = Const-1 {value = i64[1] [0]}
      %e = Const-1 {value = i64[1] [1]}
      %p = Slice-8(%a, %b, %e, %e)' >view.inlay
bounded 3 'memory limit' run view.inlay --random
loop '%p = Reshape-1(%a, %s) {special_zero = false}
      %s = Const-1 {value = i64[1] [4]}' >same.inlay
bounded 3 'memory limit' run same.inlay --random

# Each node folds to a constant within the limit of one; together they are too many, and stay.
{
    echo 'graph "fold" {'
    echo '  %n = Const-1 {value = i64[1] [250000]}'
    i=0
    while [ $i -lt 200 ]; do
        printf '  %%c%d = Const-1 {value = f32[1] [%d]}\n  %%b%d = Broadcast-3(%%c%d, %%n)\n  %%r%d = Result-1(%%b%d)\n' \
            $i $i $i $i $i $i
        i=$((i + 1))
    done
    echo '}'
} >fold.inlay
bounded 0 '' opt fold.inlay -o folded.xml

# An input is held for as long as the run.
cat >input.inlay <<'END'
graph "input" {
  %x = Parameter-1 {element_type = u8, shape = [?]}
  %r = Result-1(%x)
}
END
bounded 3 'more bytes than' run input.inlay -i x=/dev/zero
bounded 3 'more bytes than' info /dev/zero
bounded 3 'more bytes than' info "$ROOT/models/digits/digits.xml" --weights /dev/zero

# A model in memory is many times as large as its file.
many() { # COUNT TEXT SEPARATOR
    awk -v n="$1" -v text="$2" -v sep="$3" 'BEGIN { while (n-- > 0) printf "%s%s", text, n ? sep : "" }'
}
{ printf 'graph "g" { meta { '; many 4000000 a ' '; printf ' } }\n'; } >meta.inlay
{ printf '<net version="11"><layers/><edges/><rt_info>'; many 2000000 '<a/>' ''; printf '</rt_info></net>'; } >meta.xml
{ printf '{"format": "inlay-graph", "format_version": 1, "meta": ['; many 800000 '{"tag":"a"}' ,; printf ']}'; } >meta.json
{
    printf '{"format": "inlay-graph", "format_version": 1, "constants": [{"name": "c", "type": "u8", "shape": [4000000], "data": ['
    many 4000000 0 ,
    printf ']}]}'
} >data.json
{
    printf 'graph "g" { %%c = Const {value = f64[9000000] ['
    many 9000000 0 ,
    printf ']} %%r = Result(%%c) }'
} >data.inlay
for file in meta.inlay meta.xml meta.json data.json data.inlay; do
    bounded 3 'reading it takes more than the memory limit' print $file
done
finish
