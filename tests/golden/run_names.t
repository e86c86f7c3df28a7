# How `inlay run` calls inputs and outputs, and what it leaves behind when it fails.

$ cat >names.json <<'END'
> {"format": "inlay-graph", "format_version": 1, "name": "names",
>  "inputs": [{"name": "a=b", "type": "i32", "shape": [2]}, {"name": "a", "type": "i32", "shape": [2]},
>             {"name": "c", "type": "i32", "shape": [2], "tensor_names": ["t=1", "a"]}],
>  "constants": [{"name": "axis", "type": "i64", "shape": [], "data": [0]}],
>  "nodes": [{"name": "s", "type": "Add", "inputs": ["a=b", "a"], "tensor_names": ["zz", "B", "b"]},
>            {"name": "p", "type": "Split", "inputs": ["c", "axis"], "outputs": ["p0", "p1"], "attributes": {"num_splits": 2}}],
>  "outputs": ["s", "p1", "s", "a=b"]}
> END

# The longest name before an = that is an input's; an output has its first tensor name in byte order,
# and the second one of a name a number.
$ inlay run names.json -i a=b=ones -i '#1=iota' -i t=1=zeros -o out
B: i32[2]
  [1, 2]
p1: i32[1]
  [0]
B_2: i32[2]
  [1, 2]
a=b: i32[2]
  [1, 1]

$ cat out/outputs.json; ls out
[
  {"index": 0, "name": "B", "type": "i32", "shape": [2], "file": "0.npy"},
  {"index": 1, "name": "p1", "type": "i32", "shape": [1], "file": "1.npy"},
  {"index": 2, "name": "B_2", "type": "i32", "shape": [2], "file": "2.npy"},
  {"index": 3, "name": "a=b", "type": "i32", "shape": [2], "file": "3.npy"}
]
0.npy
1.npy
2.npy
3.npy
outputs.json

# A value that is kept and called like an output's file does not take its place.
$ printf 'graph "g" {\n %%0 = Parameter {element_type = i32, shape = [1]}\n %%1 = Add(%%0, %%0)\n %%r = Result(%%1)\n}\n' >keep.txt
> inlay run keep.txt -i '#0=ones' --keep 0 --keep 1 -o kept; ls kept
1: i32[1]
  [2]
0: i32[1]
  [1]
1: i32[1]
  [2]
0.npy
keep-0.npy
keep-1.npy
outputs.json

# Nor does one take the place of another whose name differs in what a file cannot be called.
$ cat >alike.inlay <<'END'
> graph "g" {
>   %x = Parameter {element_type = f32, shape = [1]}
>   %a/b = Negative(%x)
>   %a_b = Abs(%a/b)
>   %y = Sqrt(%a_b)
>   %r = Result(%y)
> }
> END
> inlay run alike.inlay -i x=ones --passes none --keep a/b --keep a_b -o alike --quiet; grep kept alike/outputs.json
  {"kept": true, "name": "a/b", "type": "f32", "shape": [1], "file": "a_b.npy"},
  {"kept": true, "name": "a_b", "type": "f32", "shape": [1], "file": "keep-1-a_b.npy"}

# "a" is the name of one input and a tensor name of another.
$ inlay run names.json -i a=ones --random
inlay: error: "a" is the name of several inputs; name one by its number, #K
[2]
$ inlay run names.json -i '#3=ones' --random
inlay: error: there is no input "#3"; the model has "a=b", "a", "c"
[2]
$ inlay run names.json -i '#0=ones' -i a=b=out/0.npy --random
inlay: error: input "a=b" is given twice
[2]
$ inlay run names.json -i '#0=ones'
inlay: error: input "a" is missing: give -i a=FILE.npy, or --random for all
[2]
$ inlay run names.json --random --seed x
inlay run: error: option --seed is "x", it must be a whole number from 0 to 2^63-1 (see `inlay run --help`)
[2]

# The same seed, the same inputs.
$ inlay run names.json --random --seed 7 >one; inlay run names.json --random --seed 7 >two; cmp one two
$ inlay run names.json --random --seed 8 | cmp -s - one
[1]

$ inlay run names.json --random --expect B=out/3.npy -i a=b=ones -i '#1=iota' >/dev/null
inlay: output "B" differs from out/3.npy: * (glob)
[1]

# A file that may not grow (ulimit -f) is a failing write: exit status 3, and nothing half-written is left.
$ mkdir limited; cp names.json "$ROOT/models/digits/digits.xml" "$ROOT/models/digits/digits.bin" limited; cd limited
> (ulimit -f 8; inlay convert digits.xml new.xml); echo $?; ls
new.bin: error: cannot write: File too large
3
digits.bin
digits.xml
names.json
$ cd limited; (ulimit -f 0; inlay run names.json --random -o out 2>&1 >/dev/null; echo $?) | cat; ls
out/0.npy: error: cannot write: File too large
3
digits.bin
digits.xml
names.json
$ cd limited; (ulimit -f 0; inlay run names.json --random --stats stats.json 2>&1 >/dev/null; echo $?) | cat; ls
stats.json: error: cannot write: File too large
3
digits.bin
digits.xml
names.json
