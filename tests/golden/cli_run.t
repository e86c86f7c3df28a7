# What `inlay run`, `opt` and `verify` say of inputs, outputs, values and passes.

$ cp "$ROOT"/models/window/*.inlay "$ROOT"/models/window/*.npy .

# Inputs.
$ inlay run window.inlay
inlay: error: input "data" is missing: give -i data=FILE.npy, or --random for all
[2]

$ inlay run window.inlay -i data
inlay: error: -i data: NAME=FILE.npy or FILE.npz is expected
[2]

$ inlay run window.inlay -i image=data.npy
inlay: error: there is no input "image"; the model has "data"
[2]

$ printf 'graph "g" {\n}\n' | inlay run - -i x=zeros
inlay: error: there is no input "x"; the model has none
[2]

$ inlay run window.inlay -i data=missing.npy
missing.npy: error: cannot open: No such file or directory
[2]

$ inlay run window.inlay -i data=window.inlay
window.inlay: error: not a .npy file: the magic bytes are missing
[2]

$ inlay run window.inlay -i missing.npz
missing.npz: error: cannot open: No such file or directory
[2]

$ inlay run window.inlay -i data=zeros -i '#0=ones'
inlay: error: input "data" is given twice
[2]

$ inlay run window.inlay -i data=change.npy --passes none --exec reference | head -1
out: f32[8,4]

$ printf 'graph "g" {\n%%x = Parameter {element_type = f32, shape = [2]} : f32[2] as "a"\n' >two.inlay

$ printf '%%a = Parameter {element_type = f32, shape = [2]}\n%%s = Add(%%x, %%a)\n%%r = Result(%%s)\n}\n' >>two.inlay

$ inlay run two.inlay -i a=zeros
inlay: error: "a" is the name of several inputs; name one by its number, #K
[2]

$ inlay run two.inlay -i '#0=data.npy' -i '#1=zeros'
two.inlay:2: error: node "x" (Parameter-1): the tensor given has shape [8,4], [2] is wanted
[2]

$ inlay run two.inlay -i '#0=iota' -i '#1=ones'
s: f32[2]
  [1, 2]

$ inlay run two.inlay --random --seed x
inlay run: error: option --seed is "x", it must be a whole number from 0 to 2^63-1 (see `inlay run --help`)
[2]

$ inlay run two.inlay --random --shape x
inlay: error: --shape x: NAME=DIMS is expected
[2]

$ inlay run two.inlay --random --shape y=2
inlay: error: there is no input "y"; the model has "x", "a"
[2]

$ inlay run two.inlay --random --shape x=two
inlay: error: --shape x=two: a dimension is a number, ?, -1 or an interval like 1..8, 2.. or ..8
[2]

$ inlay run two.inlay --random --shape x=3
two.inlay:2: error: node "x" (Parameter-1): dimension 0 asked for is 3, it must be 2
[2]

$ inlay run two.inlay --random --shape x=2,2
two.inlay:2: error: node "x" (Parameter-1): the shape asked for, [2,2], has rank 2, it must have rank 1 as [2]
[2]

# An archive: x is [1, 2], a is [30, 40].
$ base64 -d >in.npz <<END
> UEsDBBQAAAAIAAAAIQCayqvnTAAAAIgAAAAFAAAAeC5ucHmb7BfqGxDJyFDGUK2eklqcXKRupaBuk2airqOgnpZfVFKUmBefX5SS
> ChJ3S8wpTgWKF2ckFqQC+RpGOpo6CrUKFAAuBoYGewYGBgcAUEsDBBQAAAAIAAAAIQB73OHRTAAAAIgAAAAFAAAAYS5ucHmb7Bfq
> GxDJyFDGUK2eklqcXKRupaBuk2airqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RpGOpo6CrUKFAAuBoYPjgwMCk4AUEsB
> AhQDFAAAAAgAAAAhAJrKq+dMAAAAiAAAAAUAAAAAAAAAAAAAAIABAAAAAHgubnB5UEsBAhQDFAAAAAgAAAAhAHvc4dFMAAAAiAAA
> AAUAAAAAAAAAAAAAAIABbwAAAGEubnB5UEsFBgAAAAACAAIAZgAAAN4AAAAAAA==
> END

$ inlay run two.inlay -i in.npz
in.npz: error: "a" is the name of several inputs of the model
[2]

$ sed 's/ as "a"//' two.inlay >names.inlay; inlay run names.inlay -i in.npz
s: f32[2]
  [31, 42]

$ inlay run window.inlay -i in.npz
in.npz: error: there is no input "x"; the model has "data"
[2]

# Outputs.
$ inlay run window.inlay -i data=data.npy --expect out 2>&1 >/dev/null
inlay: error: --expect out: NAME=FILE.npy is expected
[2]

$ printf 'graph "g" {\n}\n' | inlay run - --expect x=out.npy
inlay: error: there is no output "x"; the model has none
[2]

$ inlay run window.inlay -i data=data.npy --expect image=out.npy 2>&1 >/dev/null
inlay: error: there is no output "image"; the model has "out"
[2]

$ inlay run window.inlay -i data=data.npy --expect out=missing.npy 2>&1 >/dev/null
missing.npy: error: cannot open: No such file or directory
[2]

$ inlay run window.inlay -i data=zeros --expect out=out.npy 2>&1 >/dev/null
inlay: output "out" differs from out.npy: element [0,0] is 0, it must be -0.165955991; 32 of 32 elements differ, the worst error is 1.42
[1]

$ inlay run two.inlay -i '#0=iota' -i '#1=ones' --expect s=data.npy 2>&1 >/dev/null
inlay: output "s" differs from data.npy: the shape is [2], it must be [8,4]
[1]

$ inlay run window.inlay -i data=data.npy --expect out=out.npy >/dev/null

$ inlay run window.inlay -i data=data.npy -o missing/folder 2>&1 >/dev/null
missing/folder: error: the directory cannot be made: No such file or directory
[3]

$ inlay run window.inlay -i data=data.npy -o data.npy 2>&1 >/dev/null
data.npy/0.npy: error: cannot write: Not a directory
[3]

$ mkdir -p taken/outputs.json; inlay run window.inlay -i data=data.npy -o taken 2>&1 >/dev/null
taken/outputs.json: error: cannot write: Is a directory
[3]

$ mkdir -p partly/0.npy; inlay run window.inlay -i data=data.npy -o partly 2>&1 >/dev/null
partly/0.npy: error: cannot write: Is a directory
[3]

$ find partly taken
partly
partly/0.npy
taken
taken/outputs.json

$ inlay run window.inlay -i data=data.npy --stats missing/stats.json 2>&1 >/dev/null
missing/stats.json: error: cannot write: No such file or directory
[3]

$ inlay run window.inlay -i data=data.npy --stats /dev/full 2>&1 >/dev/null
/dev/full: error: cannot write: No space left on device
[3]

# Values to keep.
$ inlay run window.inlay -i data=data.npy --keep middle
window.inlay: error: there is no value "middle" to keep among those that are computed; a pass may have removed it (--passes none)
[2]

$ inlay run window.inlay -i data=data.npy --passes none --keep rows | grep :
out: f32[8,4]
rows: f32[3,4]

# Passes and limits.
$ inlay run window.inlay -i data=data.npy --passes default,polish
inlay: error: there is no pass or pipeline "polish"
[2]

$ inlay opt window.inlay --disable polish
inlay: error: there is no pass "polish" to disable
[2]

$ inlay opt window.inlay --print-after polish
inlay opt: error: option --print-after is "polish", it must be all, a pass, or the number of an application (see `inlay opt --help`)
[2]

$ inlay run window.inlay -i data=data.npy --max-memory 10
inlay: error: out of memory: the limit is 10 bytes, of which 0 are in use
[3]

$ cat >big.inlay <<'END'
> graph "big" {
>   %x = Parameter-1 {element_type = f32, shape = [150000]}
>   %y = ReLU-1(%x)
>   %r = Result-1(%y)
> }
> END
$ inlay run big.inlay -i x=zeros -o big >/dev/null

$ inlay run big.inlay -i x=big/0.npy --max-memory 500000 2>&1 | sed 's/takes 60[0-9]* bytes/takes 60N bytes/'
big/0.npy: error: reading it takes 60N bytes; that is over the memory limit of 500000 bytes

# An input is held while the run is made.
$ inlay run big.inlay -i x=big/0.npy --max-memory 1M 2>&1 | sed 's/and [0-9]* beside/and N beside/'
big.inlay:3: error: node "y" (ReLU-1): 600400 bytes are needed; with the 0 in use and N beside them (inputs, scratch, what a tensor costs beside its elements) that is over the memory limit of 1048576 bytes

$ inlay opt second_reader.inlay --require-in-place 2>&1 | tail -1
inlay: --require-in-place: a copy remains

# The same of each command that compiles; 1 says that a check failed, and what failed is explained.
$ for c in opt "run --random" plan "bench --niter 1"; do
>     inlay $c second_reader.inlay --require-in-place >out 2>&1
>     echo $?
>     cat out
> done | sort | uniq -c
      4     what helps: let it overwrite its data first
      4     what helps: let the reader take the result, or only positions that are not written, or make it independent of the result so that it can come first
      4   into: no (O overwrite is refused); copies 48 bytes
      4   overwrite: no (O3 no-later-read): "change" (Subtract-1) reads the old data after the write; copies 128 bytes
      4   view: yes
      4 1
      4 inlay: --require-in-place: a copy remains
      4 second_reader.inlay:13: "out" (SliceScatter-15), window of "rows" (Slice-8):

# A note of a file that is not right is dropped, and the value copied; that is no success then.
$ cat >noted.inlay <<'END'
> graph "noted" {
>   %d = Parameter {element_type = f32, shape = [4]}
>   %a = Abs(%d)
>   %r = Negative(%a) : f32[4] overwrites %a
>   %s = Add(%a, %r)
>   %out = Result(%s)
> }
> END
$ for c in opt "run --random" plan "bench --niter 1"; do
>     inlay $c noted.inlay --passes none >out 2>&1
>     echo $?
>     grep -h dropped out
>     inlay $c noted.inlay --passes none --require-in-place >out 2>&1
>     echo $?
>     grep -h require out
> done | sort | uniq -c
      4 0
      4 1
      4 inlay: --require-in-place: a storage note is dropped
      4 noted.inlay:4: warning: node "r" (Negative-1): the storage note "r" overwrites "a" is dropped: "s" (Add-1) reads "a" after this is written over it (O3 no-later-read)

$ inlay opt window.inlay --passes rules --rules missing.rules
missing.rules: error: cannot open the file: No such file or directory
[2]

$ printf 'rule\n' >bad.rules; inlay opt window.inlay --passes rules --rules bad.rules
bad.rules:2: error: found the end of the text, expected the name of a rule
[2]

# Are they the same function?
$ inlay verify two.inlay two.inlay
same: 64 of 64 trials counted

$ inlay verify two.inlay window.inlay
different: 0 of 64 trials counted
  the first graph has 2 inputs, the second 1 input
[1]

$ sed s/Add/Subtract/ two.inlay >other.inlay; inlay verify two.inlay other.inlay
different: 1 of 64 trials counted, seed 0
  output "s" of the second graph: element [0] is 2, it must be 4; 2 of 2 elements differ, the worst error is 6
  input "x": f32[2]
    [3, -4]
  input "a": f32[2]
    [1, 3]
  the first gives "s": f32[2]
    [4, -1]
  the second gives "s": f32[2]
    [2, -7]
[1]

$ inlay verify two.inlay two.inlay --shape x=5
two.inlay:2: error: node "x" (Parameter-1): dimension 0 asked for is 5, it must be 2
[2]

$ inlay verify two.inlay two.inlay --shape x
inlay: error: --shape x: NAME=DIMS is expected
[2]

# Both sides fail in every trial: nothing can be said.
$ printf 'graph "g" {\n%%x = Parameter {element_type = f32, shape = [2]}\n' >fault.inlay

$ printf '%%i = Const {value = i64[1] [5]}\n%%y = GatherElements(%%x, %%i) {axis = 0}\n%%r = Result(%%y)\n}\n' >>fault.inlay

$ inlay verify fault.inlay fault.inlay
inconclusive: 0 of 64 trials counted
  both graphs fail: node "y" (GatherElements-6): indices[0] is 5, axis 0 has 2 elements
  inputs that the graphs take may be found with --dim NAME=N, --shape NAME=DIMS or -i NAME=FILE
[4]
# So it is of what passes made: nothing is verified by that.
$ sed 's/^%y.*/&\n%a = Abs(%y)\n%b = Abs(%a)/; s/(%y)$/(%b)/' fault.inlay >faults.inlay; inlay opt faults.inlay --passes simplify --verify 2>&1 >faults.out | tail -n 1
not verified: 2 of 2 steps are inconclusive; 1 of 1 pass changed the graph, 1 rule was applied
$ inlay opt faults.inlay --passes simplify --verify 2>nothing >faults.out
[4]

# A loop that never ends, by the model's own condition: how many iterations are allowed is the user's
# to say. The body needs no step at all.

$ cat >forever.inlay <<'END'
> graph "forever" {
>   %x = Parameter-1 {element_type = boolean, shape = []} : boolean[]
>   %trip = Const-1 {value = i64[] -1}
>   %loop:1 = Loop-5(%trip, %x, %x)
>     body "b" {
>       %go = Parameter-1 {element_type = boolean, shape = []} : boolean[]
>       %r = Result-1(%go)
>     }
>     in 2 -> %go
>     out %r -> none condition
>     out %r -> 0
>     back %r -> %go
>   %last = Result-1(%loop)
> }
> END
$ inlay run forever.inlay -i x=ones --max-iterations 1000
forever.inlay:4: error: node "loop" (Loop-5): the loops of this run have made 1000 iterations, more are not allowed
[3]

$ inlay run forever.inlay -i x=zeros --max-iterations 1000
loop: boolean[]
  False

$ inlay verify forever.inlay forever.inlay --max-iterations 10
forever.inlay:4: error: node "loop" (Loop-5): the loops of this run have made 10 iterations, more are not allowed
[3]

$ inlay run forever.inlay -i x=ones --max-iterations 0
inlay run: error: option --max-iterations is "0", it must be a whole number from 1 to 2^63-1 (see `inlay run --help`)
[2]

# What passes, or the graph itself, leave out is not computed; what stands in a body has no one value.

$ inlay run forever.inlay -i x=zeros --keep go
forever.inlay: error: value "go" stands in the body of "loop", which may run many times: only values of the outermost graph can be kept
[2]

$ inlay run forever.inlay -i x=zeros --keep gone
forever.inlay: error: there is no value "gone" to keep among those that are computed; a pass may have removed it (--passes none)
[2]

$ inlay run forever.inlay -i x=zeros --keep loop.0 --keep trip | tail -4
loop.0: boolean[]
  False
trip: i64[]
  -1

# What is asked for is looked at before anything runs; a folder made for nothing goes again.

$ inlay run forever.inlay -i x=ones --expect loop=missing.npy
missing.npy: error: cannot open: No such file or directory
[2]

$ inlay run forever.inlay -i x=ones --expect first=missing.npy
inlay: error: there is no output "first"; the model has "loop"
[2]

$ inlay run forever.inlay -i x=ones -o missing/folder
missing/folder: error: the directory cannot be made: No such file or directory
[3]

$ inlay run forever.inlay -i x=ones -o new --max-iterations 9; test -e new || echo gone
forever.inlay:4: error: node "loop" (Loop-5): the loops of this run have made 9 iterations, more are not allowed
gone

$ inlay run forever.inlay -i x=
inlay: error: -i x=: NAME=FILE.npy or FILE.npz is expected
[2]

# --verify runs what carries storage notes as they say; a graph that is the same needs no proof.

$ inlay opt window.inlay --verify 2>&1 >/dev/null
infer-shapes             unchanged
lower-dialects           unchanged
move-codes               unchanged
fold-constants           unchanged
inline-bodies            unchanged
unpack-sequences         unchanged
find-sequences           unchanged
trim-bodies              unchanged
hoist-invariants         unchanged
hoist-products           unchanged
fold-scatter-update      unchanged
canonicalize             unchanged
eliminate-dead           unchanged
simplify                 unchanged
rules                    unchanged
fold-constants           unchanged
fold-scatter-update      unchanged
eliminate-common         unchanged
fuse                     unchanged
regroup                  unchanged
unpack-filters           unchanged
keep-compressed          unchanged
eliminate-dead           unchanged
in-place-windows         same: 64 of 64 trials counted
verified: 1 of 24 passes changed the graph, 0 rules were applied; each step is the same function in all of 64 trials that counted

# An exact rule leaves out no node that may fail. Where one is left out by hand it is a difference to `verify`,
# and the seed it names finds it again alone.

$ cat >lost.inlay <<'END'
> graph "lost" {
>   %x = Parameter {element_type = f32, shape = [4]}
>   %i = Parameter {element_type = i64, shape = [2]}
>   %v = Parameter {element_type = f32, shape = [2]}
>   %b = Const {value = i64[1] [0]}
>   %e = Const {value = i64[1] [2]}
>   %s = Const {value = i64[1] [1]}
>   %u = GatherElements(%x, %i) {axis = 0}
>   %first = SliceScatter(%x, %u, %b, %e, %s)
>   %second = SliceScatter(%first, %v, %b, %e, %s)
>   %r = Result(%second)
> }
> END
$ inlay opt lost.inlay | grep -c GatherElements
1

$ sed 's/%second = SliceScatter(%first/%second = SliceScatter(%x/' lost.inlay >found.inlay

$ inlay verify lost.inlay found.inlay
different: 8 of 64 trials counted, seed 7
  only the first graph fails: node "u" (GatherElements-6): indices[0] is 4, axis 0 has 4 elements
  input "x": f32[4]
    [0.03394332, -2.244993e-20, 1.76536, -2.064811e-11]
  input "i": i64[2]
    [4, 1]
  input "v": f32[2]
    [0.2390873, -10.27318]
  the first fails: node "u" (GatherElements-6): indices[0] is 4, axis 0 has 4 elements
  the second gives "second": f32[4]
    [0.2390873, -10.27318, 1.76536, -2.064811e-11]
[1]

$ inlay verify lost.inlay found.inlay --trials 1 --seed 7
different: 1 of 1 trial counted, seed 7
  only the first graph fails: node "u" (GatherElements-6): indices[0] is 4, axis 0 has 4 elements
  input "x": f32[4]
    [0.03394332, -2.244993e-20, 1.76536, -2.064811e-11]
  input "i": i64[2]
    [4, 1]
  input "v": f32[2]
    [0.2390873, -10.27318]
  the first fails: node "u" (GatherElements-6): indices[0] is 4, axis 0 has 4 elements
  the second gives "second": f32[4]
    [0.2390873, -10.27318, 1.76536, -2.064811e-11]
[1]

# Sizes come from the model: none is allocated that the limit forbids.

$ cat >huge.inlay <<'END'
> graph "huge" {
>   %x = Parameter-1 {element_type = f32, shape = [1099511627776,1099511627776]}
>   %y = ReLU-1(%x)
>   %r = Result-1(%y)
> }
> END
$ inlay run huge.inlay --random
huge.inlay:2: error: node "x" (Parameter-1): a tensor of this shape does not fit the address space
[3]

$ sed 's/1099511627776/100000/g' huge.inlay >large.inlay; inlay run large.inlay --random --max-memory 1G
large.inlay:2: error: node "x" (Parameter-1): the input has 40000000000 bytes; with the 0 of others that is over the memory limit of 1073741824 bytes
[3]

$ inlay verify large.inlay large.inlay --max-memory 1G
large.inlay:2: error: node "x" (Parameter-1): the input has 40000000000 bytes; with the 0 of others that is over the memory limit of 1073741824 bytes
[3]

$ inlay info huge.inlay | grep -A2 steps
  steps                1
  values               1, of sizes that are not known (--shape sets open ones)
  peak                 not known

# What passes decline to do is for `inlay opt` to say.

$ cat >unfolded.inlay <<'END'
> graph "unfolded" {
>   %s = Const-1 {value = i64[1] [1000000]}
>   %one = Const-1 {value = f32[] 1}
>   %b = Broadcast-3(%one, %s)
>   %zero = Const-1 {value = i64[1] [0]}
>   %sum = ReduceSum-1(%b, %zero)
>   %r = Result-1(%sum)
> }
> END
$ inlay opt unfolded.inlay 2>&1 >/dev/null
unfolded.inlay:4: note: node "b" (Broadcast-3): not folded: the result has 4000000 bytes, the limit is 1048576 and the constants that would go have 12

$ inlay run unfolded.inlay
sum: f32[]
  1000000
