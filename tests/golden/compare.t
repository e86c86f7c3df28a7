# Arrays compared: what `run -o` wrote, files, what --expect wants. And inputs within ranges.

$ cp "$ROOT/models/window/window.inlay" "$ROOT/models/window/data.npy" "$ROOT/models/window/out.npy" .

$ inlay run window.inlay -i data=data.npy --expect out=out.npy | tail -1
out agrees with out.npy: bit for bit

# --quiet leaves what is wrong, and what is asked for.

$ inlay run window.inlay -i data=data.npy --expect out=out.npy --quiet

$ inlay run window.inlay -i data=data.npy --quiet --stats - | cut -c 1-10
{"nodes": 

$ inlay run window.inlay -i data=zeros --expect out=out.npy --quiet
inlay: output "out" differs from out.npy: element [0,0] is 0, it must be -0.165955991; 32 of 32 elements differ, the worst error is 1.42
[1]

# A tolerance lets a difference pass, and how large it is is told: 2^-20 of 31, rounded to f32, is 2^-15.

$ printf 'graph "g" {\n%%x = Parameter {element_type = f32, shape = [8,4]}\n%%r = Result(%%x)\n}\n' >as_is.inlay
> inlay run as_is.inlay -i x=iota -o iota --quiet

$ cat >near.inlay <<'END'
> graph "near" {
>   %data = Parameter-1 {element_type = f32, shape = [8,4]}
>   %more = Const-1 {value = f32[] 1.00000095367431640625}
>   %out = Multiply-1(%data, %more)
>   %r = Result-1(%out)
> }
> END
$ inlay run near.inlay -i data=iota --expect out=iota/0.npy | tail -1
out agrees with iota/0.npy: the largest error is 3.05e-05

# Kept values stand in outputs.json behind the outputs.

$ inlay run window.inlay -i data=data.npy --passes none --keep rows --keep scaled -o one --quiet; cat one/outputs.json
[
  {"index": 0, "name": "out", "type": "f32", "shape": [8, 4], "file": "0.npy"},
  {"kept": true, "name": "rows", "type": "f32", "shape": [3, 4], "file": "rows.npy"},
  {"kept": true, "name": "scaled", "type": "f32", "shape": [3, 4], "file": "scaled.npy"}
]

$ inlay run window.inlay -i data=data.npy -o two --quiet; inlay compare one two
0.npy: bit for bit
rows.npy is in one only
scaled.npy is in one only
[1]

$ inlay run window.inlay -i data=zeros -o zero --quiet; inlay compare two zero
0.npy differs: element [0,0] is 0, it must be -0.165955991; 32 of 32 elements differ, the worst error is 1.42
[1]

$ inlay compare two zero --atol 2 --rtol 0
0.npy: the largest error is 1.42

$ inlay compare two zero --quiet
[1]

# For programs: what is said of each array, and of all; nothing where an array cannot be read.
$ inlay compare one two --json
{"arrays": [
  {"name": "0.npy", "result": "same", "why": "bit for bit"},
  {"name": "rows.npy", "result": "missing", "only_in": "one"},
  {"name": "scaled.npy", "result": "missing", "only_in": "one"}
], "result": "different"}
[1]

$ inlay compare two two --json | tail -1
], "result": "same"}

$ inlay compare out.npy nothing.npy --json
nothing.npy: error: cannot open: No such file or directory
{"arrays": [
], "result": null}
[2]

$ inlay compare two two
0.npy: bit for bit

$ inlay compare one/0.npy out.npy
out.npy: bit for bit

$ inlay compare data.npy out.npy | cut -d, -f 1
out.npy differs: element [2

$ mkdir none; inlay compare none none
none: error: there is no .npy file here, nor in none
[2]

$ inlay compare one missing
one: error: cannot read: Is a directory
[2]

# Packed elements are bytes.

$ printf 'graph "g" {\n%%x = Parameter {element_type = u4, shape = [4]}\n%%r = Result(%%x)\n}\n' >packed.inlay
> inlay run packed.inlay -i x=iota -o p --quiet; inlay run packed.inlay -i x=ones -o q --quiet; inlay compare p p && inlay compare p q
0.bin: bit for bit
0.bin differs: at byte 0
[1]

# Ranges.

$ printf 'graph "g" {\n%%x = Parameter {element_type = f32, shape = [1000]}\n%%i = Parameter {element_type = u8, shape = [1000]}\n' >range.inlay
> printf '%%k = Const {value = i64[1] [0]}\n%%a = ReduceMin(%%x, %%k)\n%%b = ReduceMax(%%x, %%k)\n%%c = ReduceMin(%%i, %%k)\n%%d = ReduceMax(%%i, %%k)\n' >>range.inlay
> printf '%%ra = Result(%%a)\n%%rb = Result(%%b)\n%%rc = Result(%%c)\n%%rd = Result(%%d)\n}\n' >>range.inlay
> inlay run range.inlay -i x=random:250:250.5 -i i=random:200:202
a: f32[]
  250.0* (glob)
b: f32[]
  250.49* (glob)
c: u8[]
  200
d: u8[]
  202

$ inlay run range.inlay -i x=random:1 -i i=zeros
inlay: error: -i x=random:1: random:LOW:HIGH is expected, two numbers
[2]

$ inlay run range.inlay -i x=random:2:1 -i i=zeros
inlay: error: -i x=random:2:1: random:LOW:HIGH is expected, two numbers
[2]

$ inlay run range.inlay -i x=ones -i i=random:0:256
range.inlay:3: error: node "i" (Parameter-1): the range from 0 to 256 does not fit type u8
[2]

$ inlay run range.inlay -i x=ones -i i=random:0:0.5
range.inlay:3: error: node "i" (Parameter-1): the range from 0 to 0.5 does not fit type u8
[2]

$ inlay run range.inlay -i x=random:0:inf -i i=zeros
inlay: error: there is no number in the range from 0 to inf
[2]

# Operands of verify by hand: a number is its absolute value where it is not negative.

$ printf 'graph "g" {\n%%x = Parameter {element_type = f32, shape = [?,4]}\n%%r = Result(%%x)\n}\n' >same.inlay
> printf 'graph "g" {\n%%x = Parameter {element_type = f32, shape = [?,4]}\n%%y = Abs(%%x)\n%%r = Result(%%y)\n}\n' >abs.inlay
> inlay verify same.inlay abs.inlay >verdict; echo $?; cut -d: -f 1 verdict | head -1
1
different

$ inlay verify same.inlay abs.inlay -i x=random:0:1
same: 64 of 64 trials counted
  not covered: open sizes above 257

$ inlay verify same.inlay abs.inlay -i x=iota/0.npy --trials 2
same: 2 of 2 trials counted

$ inlay verify same.inlay abs.inlay -i x=data.npy
different: 1 of 64 trials counted, seed 0
  output "x" of the second graph: element [0,0] is 0.165955991, it must be -0.165955991; * of 32 elements differ, the worst error is * (glob)
  input "x": f32[8,4]
    [[-0.165956, 0.440649, -0.9997712, -0.3953349],
     [-0.7064882, -0.8153228, -0.6274796, -0.3088785],
     [-0.2064651, 0.07763347, -0.161611, 0.370439],
     [-0.5910955, 0.7562349, -0.9452248, 0.340935],
     [-0.1653904, 0.1173797, -0.7192261, -0.603797],
     [0.6014891, 0.9365231, -0.3731516, 0.3846452],
     [0.7527783, 0.7892133, -0.8299116, -0.9218904],
     [-0.6603392, 0.756285, -0.8033063, -0.1577847]]
  the first gives "x": f32[8,4]
    [[-0.165956, 0.440649, -0.9997712, -0.3953349],
     [-0.7064882, -0.8153228, -0.6274796, -0.3088785],
     [-0.2064651, 0.07763347, -0.161611, 0.370439],
     [-0.5910955, 0.7562349, -0.9452248, 0.340935],
     [-0.1653904, 0.1173797, -0.7192261, -0.603797],
     [0.6014891, 0.9365231, -0.3731516, 0.3846452],
     [0.7527783, 0.7892133, -0.8299116, -0.9218904],
     [-0.6603392, 0.756285, -0.8033063, -0.1577847]]
  the second gives "y": f32[8,4]
    [[0.165956, 0.440649, 0.9997712, 0.3953349],
     [0.7064882, 0.8153228, 0.6274796, 0.3088785],
     [0.2064651, 0.07763347, 0.161611, 0.370439],
     [0.5910955, 0.7562349, 0.9452248, 0.340935],
     [0.1653904, 0.1173797, 0.7192261, 0.603797],
     [0.6014891, 0.9365231, 0.3731516, 0.3846452],
     [0.7527783, 0.7892133, 0.8299116, 0.9218904],
     [0.6603392, 0.756285, 0.8033063, 0.1577847]]
[1]

$ inlay verify same.inlay abs.inlay -i x=iota
same: 64 of 64 trials counted
  not covered: open sizes above 257

$ inlay verify same.inlay abs.inlay -i y=iota
inlay: error: there is no input "y"; the model has "x"
[2]

# Shapes and unknown operations of opt.

$ inlay opt same.inlay --shape x=2,? --passes none | sed -n 2p
  %x = Parameter-1 {element_type = f32, shape = [2,4]} : f32[2,4]

$ inlay opt same.inlay --shape x=2,3
same.inlay:2: error: node "x" (Parameter-1): --shape asks for [2,3], which does not fit [?,4]
[2]

$ printf 'graph "g" {\n  %%x = Parameter {element_type = f32, shape = [2]}\n  %%f = ?Thing@extension(%%x) : f32[2]\n  %%y = Relu-1(%%f)\n  %%r = Result(%%y)\n}\n' | sed s/Relu/ReLU/ >thing.inlay
> inlay opt thing.inlay --allow-unknown
graph "g" {
  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %f = ?Thing@extension(%x) : f32[2]
  %y = ReLU-1(%f) : f32[2]
  %r = Result-1(%y)
}

# What stands in one folder only is told beside an empty one.

$ mkdir empty; inlay compare empty two
0.npy is in two only
[1]

# What an earlier run left in the folder of -o, and this one does not write, goes; files of others stay, be they called
# as if a run had written them.
$ mkdir many; printf mine >many/7.npy; printf mine >many/notes.npy
> inlay run window.inlay -i data=data.npy --passes none --keep rows --keep scaled -o many --quiet; ls many
0.npy
7.npy
notes.npy
outputs.json
rows.npy
scaled.npy

$ inlay run window.inlay -i data=data.npy -o many --quiet; ls many
0.npy
7.npy
notes.npy
outputs.json

# A run that fails leaves the folder as it was.
$ inlay run window.inlay -i data=data.npy --passes none --keep rows -o many --quiet; inlay run window.inlay -i data=data.npy --keep nothing -o many --quiet 2>/dev/null; ls many
0.npy
7.npy
notes.npy
outputs.json
rows.npy

# A list that no run wrote names nothing: not in another folder, no other file.
$ printf '[\n  {"index": 0, "file": "../keep.npy"},\n  {"index": 1, "file": "notes.txt"},\n {"file": "7.npy"}\n]\n' >many/outputs.json
> printf mine >keep.npy; printf mine >many/notes.txt; inlay run window.inlay -i data=data.npy -o many --quiet; ls keep.npy many/*
keep.npy
many/0.npy
many/7.npy
many/notes.npy
many/notes.txt
many/outputs.json
many/rows.npy
