# What every command takes, and what `run --digest` and `convert --from --to` give.

$ cp "$ROOT"/models/window/window.inlay "$ROOT"/models/window/*.npy .

# Each step has its time, which is not shown here.
$ inlay run window.inlay -i data=data.npy --passes eliminate-dead,in-place-windows -v --quiet --log log 2>&1 | sed 's/[0-9.]* ms/TIME/g'
inlay: read window.inlay: 11 nodes, TIME
inlay: pass eliminate-dead: 0 changes, TIME
inlay: pass in-place-windows: 3 changes, TIME
inlay: compiled in TIME, run in TIME: * steps, * bytes at the peak, 128 copied (glob)

$ wc -l <log; inlay info missing.xml --log=log; cat log
4
missing.xml: error: cannot open: No such file or directory
missing.xml: error: cannot open: No such file or directory

$ inlay info window.inlay --log missing/log
missing/log: error: the log cannot be written: No such file or directory
[2]

$ inlay info missing.xml --color=always 2>&1 | tr '\033' '%'; inlay info missing.xml --color never
missing.xml: %[31merror:%[0m cannot open: No such file or directory
missing.xml: error: cannot open: No such file or directory
[2]

$ inlay info window.inlay --color=blue
inlay: error: option --color is "blue", it must be auto, always or never
[2]

$ for word in libxml2 cJSON libinlay-onednn.so libonnxruntime.so z3; do inlay --version | grep -c $word; done
1
1
1
1
1

# numpy: FNV-1a over b'f32\0', the dims as eight bytes each, and the elements.
$ inlay run window.inlay -i data=data.npy --digest
69b3f0916f1e2570  out: f32[8,4]
69b3f0916f1e2570  all outputs

$ inlay run window.inlay -i data=data.npy --digest --quiet --exec reference --passes none
69b3f0916f1e2570  all outputs

# FNV-1a over b'string\0', 2, 3, b'abc', 0.
$ printf 'graph "g" {\n%%x = Parameter {element_type = string, shape = [2]} : string[2]\n%%r = Result(%%x)\n}\n' >s.inlay; inlay run s.inlay -i 'x=[abc,""]' --digest --quiet
d861e62f34727857  all outputs

# A part of a graph is a graph: what one part gives, the next one takes.
$ m=$ROOT/models/digits; inlay convert $m/digits.xml first.inlay --to pool1; inlay convert $m/digits.xml second.inlay --from pool1; inlay convert $m/digits.xml middle.inlay --from pool1 --to flat; inlay run first.inlay -i image=$m/ten.npy -o first --quiet; inlay run second.inlay -i pool1=first/0.npy --expect '#0'=$m/ten_expected.npy --quiet; inlay info middle.inlay | sed -n '2,5p'
inputs:
  pool1                f32[?,8,14,14]
outputs:
  flat                 f32[?,784]

$ inlay convert $ROOT/models/digits/digits.xml x.inlay --from pol1
inlay: error: --from pol1: there is no value of this name in the outermost graph, did you mean "pool1"?
[2]

# A part assigns to no variable, and reads only what it needs: here where the rows stand.
$ inlay convert $ROOT/models/tiny-gpt/tiny-gpt.xml x.inlay --from keys0_old --to keys0 && inlay print x.inlay | grep -o 'Assign\|%[a-z0-9_]* = ReadValue'
%position_old = ReadValue

$ inlay convert $ROOT/models/tiny-gpt/tiny-gpt.xml x.inlay --to choice.1 && inlay info x.inlay | sed -n '/^outputs/{n;p;}'
  next                 i64[1,1]

$ printf 'graph "g" {\n%%x = Parameter {element_type = f32, shape = [2]} : f32[2]\n%%y = Matmul2(%%x)\n%%r = Result(%%y)\n}\n' >bad.inlay; inlay info bad.inlay
bad.inlay:3: error: unknown operation Matmul2, did you mean "MatMul"?
[2]

# A failed write to standard output is a message, one of them.
$ for c in "run window.inlay --random -o out" "run window.inlay --random --stats -" 'opt window.inlay' 'convert window.inlay -' help; do inlay $c >/dev/full; echo $?; done
inlay: error: standard output could not be written
3
inlay: error: standard output could not be written
3
inlay: error: standard output could not be written
3
<stdout>: error: cannot write: No space left on device
3
inlay: error: standard output could not be written
3
