# A model without its .bin, which --weights random makes up.

$ cp "$ROOT/models/digits/digits.xml" m.xml; inlay run m.xml --random --quiet 2>&1 | sed 's/layer [0-9]* "[^"]*"/LAYER/'
m.xml:34: error: LAYER (Const-1): the model has a constant, but no weights: there is no m.bin

$ inlay run m.xml --random --quiet --weights random && inlay plan m.xml --weights random | head -1
m.xml:288: warning: layer 16 "flat_shape" (Const-1): the weights are made up; integers may be shapes, axes or places: so this constant was chosen so that shapes are those of the ports
m.xml:288: warning: layer 16 "flat_shape" (Const-1): the weights are made up; integers may be shapes, axes or places: so this constant was chosen so that shapes are those of the ports
m.xml: passes default

$ inlay info m.xml --weights random --json | head -4
m.xml:288: warning: layer 16 "flat_shape" (Const-1): the weights are made up; integers may be shapes, axes or places: so this constant was chosen so that shapes are those of the ports
{
  "name": "digits",
  "inputs": [{"name": "image", "type": "u8", "shape": "[?,1,28,28]", "tensor_names": ["image"]}],
  "outputs": [{"name": "probabilities", "type": "f32", "shape": "[?,10]", "tensor_names": ["probabilities"]}],

$ inlay bench m.xml --weights random -t 0.1 --shape image=1,1,28,28 --threads 1 | head -1
m.xml:288: warning: layer 16 "flat_shape" (Const-1): the weights are made up; integers may be shapes, axes or places: so this constant was chosen so that shapes are those of the ports
m.xml: passes default, hint latency, 1 thread

# Axes are neighbours among the first ones or the last, those that give the sizes of the port.
$ for axes in '1, 2' '5, 6'; do
>     printf 'graph "g" {\n  %%x = Parameter-1 {element_type = f32, shape = [1,2,3,4,5,6,7]}\n  %%a = Const-1 {value = i64[2] [%s]}\n  %%y = ReduceSum-1(%%x, %%a)\n  %%r = Result-1(%%y)\n}\n' "$axes" >axes.inlay
>     inlay convert axes.inlay axes.xml; rm axes.bin; inlay convert axes.xml made.inlay --weights random 2>said; grep -o 'i64\[2\] .*]' made.inlay; wc -l <said
> done
i64[2] [1, 2]
1
i64[2] [-2, -1]
1

# A size that the port leaves open stays open: what is cut out may not be known to be nothing.
$ printf 'graph "g" {\n  %%x = Parameter-1 {element_type = f32, shape = [?]}\n  %%b = Const-1 {value = i64[1] [1]}\n  %%e = Const-1 {value = i64[1] [9]}\n  %%s = Const-1 {value = i64[1] [2]}\n  %%y = Slice-8(%%x, %%b, %%e, %%s)\n  %%r = Result-1(%%y)\n}\n' >cut.inlay
$ inlay convert cut.inlay cut.xml; rm cut.bin; inlay convert cut.xml made.inlay --weights random 2>said; grep -o 'Slice.*' made.inlay | grep -c '\.\.'
1

# The seed says all: two commands make the same weights up, and other seeds make others.
$ inlay verify m.xml m.xml --weights random:7 --trials 2
m.xml:288: warning: layer 16 "flat_shape" (Const-1): the weights are made up; integers may be shapes, axes or places: so this constant was chosen so that shapes are those of the ports
m.xml:288: warning: layer 16 "flat_shape" (Const-1): the weights are made up; integers may be shapes, axes or places: so this constant was chosen so that shapes are those of the ports
same: 2 of 2 trials counted
  not covered: open sizes above 257

$ for s in random random:0 random:1; do inlay convert m.xml $s.xml --weights $s; done; cmp random.bin random:0.bin && inlay verify random.xml random:1.xml --trials 2 | head -1
m.xml:288: warning: layer 16 "flat_shape" (Const-1): the weights are made up; integers may be shapes, axes or places: so this constant was chosen so that shapes are those of the ports
m.xml:288: warning: layer 16 "flat_shape" (Const-1): the weights are made up; integers may be shapes, axes or places: so this constant was chosen so that shapes are those of the ports
m.xml:288: warning: layer 16 "flat_shape" (Const-1): the weights are made up; integers may be shapes, axes or places: so this constant was chosen so that shapes are those of the ports
different: 1 of 2 trials counted, seed 0

# A file of this name is one.
$ cp "$ROOT/models/digits/digits.bin" random; inlay verify m.xml "$ROOT/models/digits/digits.xml" --weights ./random --trials 2
same: 2 of 2 trials counted
  not covered: open sizes above 257

$ inlay run m.xml --weights random:x --random
random:x: error: cannot open: No such file or directory
[2]

$ inlay run "$ROOT/models/window/window.inlay" --weights random --random
$ROOT/models/window/window.inlay: error: weights are made up for OpenVINO IR only
[2]

