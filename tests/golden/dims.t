# Open sizes with names: two inputs of one batch, and a size that a node computes.
$ cat > m.inlay <<'END'
> graph "named" {
>   %ids = Parameter {element_type = f32, shape = [?#batch,?#length]}
>   %mask = Parameter {element_type = f32, shape = [?#batch,1..8]}
>   %y = Concat(%ids, %mask) {axis = 1}
>   %n = NonZero(%y) : i64[2,?#count]
>   %out = Result(%n)
> }
> END

$ inlay info m.inlay --disable simplify | sed -n 2,6p
inputs:
  ids                  f32[?#batch,?#length]
  mask                 f32[?#batch,1..8]
outputs:
  n                    i64[2,?#count]

$ inlay info --json m.inlay | sed -n 4p | cut -c 1-160
  "outputs": [{"name": "n", "type": "i64", "shape": "[2,?]", "dim_names": [null, "count"], "tensor_names": []}],

# Every way of reading takes --dim, which sets the size wherever the name stands.
$ inlay print m.inlay --dim batch=4 --dim length=2
graph "named" {
  %ids = Parameter-1 {element_type = f32, shape = [4,2]} : f32[4,2]
  %mask = Parameter-1 {element_type = f32, shape = [4,1..8]} : f32[4,1..8]
  %y = Concat-1(%ids, %mask) {axis = 1} : f32[4,3..10]
  %n = NonZero-3(%y) : i64[2,..40]
  %out = Result-1(%n)
}

# So does every way of reading take --shape.
$ inlay print m.inlay --shape ids=4,2 | grep '%ids ='
  %ids = Parameter-1 {element_type = f32, shape = [4,2]} : f32[4,2]

$ inlay convert m.inlay shaped.inlay --shape '#0=4,2'; grep '%ids =' shaped.inlay
  %ids = Parameter-1 {element_type = f32, shape = [4,2]} : f32[4,2]

$ inlay rules m.inlay --shape ids=4 | head -1
m.inlay:2: error: node "ids" (Parameter-1): --shape asks for [4], which does not fit [?,?]

$ inlay reduce m.inlay --shape ids=4,2 --test 'inlay info' --match NonZero | grep -c Parameter
1

# Of two models the second need not have the input.
$ sed 's/ids/codes/g' m.inlay >other.inlay; inlay diff m.inlay other.inlay --shape ids=4,2 | head -2
< %ids = Parameter-1 {element_type = f32, shape = [4,2]} : f32[4,2]
> %codes = Parameter-1 {element_type = f32, shape = [?#batch,?#length]} : f32[?#batch,?#length]

$ inlay convert m.inlay four.xml --dim batch=4

$ inlay convert m.inlay ten.xml --ir-version 10
inlay: warning: names of dimensions are not written: IR version 10 cannot hold them, 11 can (--ir-version 11)

$ inlay verify m.inlay four.xml --dim batch=4 --trials 8
same: 8 of 8 trials counted
  not covered: open sizes above 257, most pairs of open sizes

# The verdicts on passes say what they leave out, in JSON, too.
$ sed 's/%y = .*/%z = Relu(%ids)\n  %y = Relu(%z)/' m.inlay >twice.inlay
$ inlay opt twice.inlay --dim batch=4 --verify --json 2>/dev/null | grep '"verified"' | head -1
  {"verified": "simplify", "result": "same", "trials": 64, "counted": 64, "why": null, "not_covered": ["open sizes above 257, most pairs of open sizes"]}

$ inlay opt m.inlay --dim length=1 | grep ids
  %ids = Parameter-1 {element_type = f32, shape = [?#batch,1]} : f32[?#batch,1]
  %y = Concat-1(%ids, %mask) {axis = 1} : f32[?#batch,2..9]

$ inlay run m.inlay --dim batch=2 --dim length=3 -i ids=ones -i mask=ones --shape mask=2,1 --quiet --stats - | grep -c peak_bytes
1

# A run holds inputs of one name against each other, in both executors.
$ for e in planned reference; do inlay run m.inlay --random --shape ids=2,1 --shape mask=3,1 --exec $e; done
m.inlay:3: error: node "mask" (Parameter-1): dimension 0 ("batch") of the tensor given is 3, it must be 2 like dimension 0 of "ids"
m.inlay:3: error: node "mask" (Parameter-1): dimension 0 ("batch") of the tensor given is 3, it must be 2 like dimension 0 of "ids"
[2]

$ inlay info m.inlay --dim bath=4
inlay: error: no input has a dimension called "bath", did you mean "batch"?
[2]

$ inlay info m.inlay --dim count=4
inlay: error: no input has a dimension called "count"
[2]

$ inlay info m.inlay --dim batch=x
inlay: error: --dim batch=x: NAME=SIZE is expected, a whole number
[2]

# A sum of sizes is shown as one, wherever it is known, and what is shown is read again; a name that the file gives stays.
$ cat > sums.inlay <<'END'
> graph "sums" {
>   %past = Parameter {element_type = f32, shape = [?#past,2]}
>   %new = Parameter {element_type = f32, shape = [?#new,2]}
>   %one = Const {value = i64[1] [1]}
>   %zero = Const {value = i64[] 0}
>   %first = Const {value = i64[1] [0]}
>   %both = Concat(%past, %new) {axis = 0}
>   %twice = Concat(%both, %past) {axis = 0}
>   %shape = ShapeOf(%past)
>   %length = Gather(%shape, %first, %zero)
>   %more = Add(%length, %one)
>   %rows = Broadcast(%zero, %more)
>   %named = Broadcast(%zero, %less) : i64[?#total]
>   %less = Add(%length, %length)
>   %r0 = Result(%both)
>   %r1 = Result(%twice)
>   %r2 = Result(%rows)
>   %r3 = Result(%named)
> }
> END

$ inlay print sums.inlay > printed.inlay; grep 'Concat\|Broadcast' printed.inlay
  %both = Concat-1(%past, %new) {axis = 0} : f32[?#"past + new",2]
  %twice = Concat-1(%both, %past) {axis = 0} : f32[?#"2*past + new",2]
  %rows = Broadcast-3(%zero, %more) : i64[1..#"past + 1"]
  %named = Broadcast-3(%zero, %less) : i64[?#total]

$ inlay print printed.inlay | cmp - printed.inlay
$ sed 's/#new/#"past + 1"/' sums.inlay | inlay print - | grep '%new =\|%both =\|%rows ='
  %new = Parameter-1 {element_type = f32, shape = [?#"past + 1",2]} : f32[?#"past + 1",2]
  %both = Concat-1(%past, %new) {axis = 0} : f32[?,2]
  %rows = Broadcast-3(%zero, %more) : i64[1..]
