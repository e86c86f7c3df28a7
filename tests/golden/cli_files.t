# Files that cannot be read or written. Each message names the file, and what was found there.

$ cp "$ROOT/models/window/window.inlay" "$ROOT"/models/window/*.npy .

$ for c in info print opt run; do
>     inlay $c missing.xml
>     echo $?
> done
missing.xml: error: cannot open: No such file or directory
2
missing.xml: error: cannot open: No such file or directory
2
missing.xml: error: cannot open: No such file or directory
2
missing.xml: error: cannot open: No such file or directory
2

$ inlay convert missing.xml out.json
missing.xml: error: cannot open: No such file or directory
[2]

$ inlay verify window.inlay missing.xml
missing.xml: error: cannot open: No such file or directory
[2]

$ mkdir folder; inlay print folder
folder: error: cannot read: Is a directory
[2]

$ inlay print - <folder
<stdin>: error: cannot read: Is a directory
[3]

$ : >empty; inlay print empty
empty: error: the file is empty
[2]

$ printf '\001\002' >binary; inlay print binary
binary: error: this is no model in a known format
[2]

$ printf '{"format": "inlay-graph",\n "inputs": 3}' | inlay print -
<stdin>:1: error: the member "format_version" is missing
[2]

# A name from a file does not steer the terminal.
$ printf 'graph "g" {\n%%"a\\x1b[2J" = ReLU()\n}\n' | inlay print -
<stdin>:2: error: node "a\x1b[2J" (ReLU-1): has 0 inputs, it must have 1
[2]

$ cp "$ROOT/models/digits/digits.xml" alone.xml; inlay info alone.xml
alone.xml:34: error: layer 2 "pixel_scale" (Const-1): the model has a constant, but no weights: there is no alone.bin
[2]

$ inlay info alone.xml --weights missing.bin
missing.bin: error: cannot open: No such file or directory
[2]

$ inlay info alone.xml --weights window.inlay 2>&1 | sed 's/offset.*size [0-9]*/.../'
alone.xml:179: error: layer 10 "conv2_weights" (Const-1): ... reach beyond the weights file, which has 539 bytes

$ inlay info alone.xml --weights "$ROOT/models/digits/digits.bin" | head -1
alone.xml: digits

# Nothing half-written is left behind.
$ inlay convert window.inlay window.pb
window.pb: error: a model's name ends in .xml, .json, .onnx, .inlay or .txt
[2]

$ inlay convert window.inlay missing/window.json
missing/window.json: error: cannot write: No such file or directory
[3]

$ inlay opt window.inlay -o missing/window.json
missing/window.json: error: cannot write: No such file or directory
[3]

$ mkdir folder.json; inlay convert window.inlay folder.json
folder.json: error: cannot write: Is a directory
[3]

$ ln -s /dev/full full.json; inlay convert window.inlay full.json
full.json: error: cannot write: No space left on device
[3]

$ inlay convert window.inlay - >/dev/full
<stdout>: error: cannot write: No space left on device
[3]

$ inlay convert window.inlay - >&-
<stdout>: error: cannot write: Bad file descriptor
[3]

$ inlay print window.inlay >/dev/full
inlay: error: standard output could not be written
[3]

$ inlay print --dot window.inlay >/dev/full
inlay: error: standard output could not be written
[3]

$ inlay opt window.inlay >/dev/full
inlay: error: standard output could not be written
[3]

# A writer that meets the error on the way has told it already.
$ { echo 'graph "long" {'; echo '%p = Parameter {element_type = f32, shape = [2]}';
>   for i in $(seq 2000); do echo "%r$i = Result(%p)"; done; echo '}'; } >../long.inlay

$ inlay diff ../long.inlay window.inlay >/dev/full
inlay: error: the text could not be written
[3]

$ ls
alone.xml
binary
chain_data.npy
chain_out.npy
change.npy
data.npy
empty
folder
folder.json
full.json
out.npy
window.inlay

# A model that cannot hold what it is asked to.
$ printf 'graph "g" {\n%%f = ?Thing@extension\n%%r = Result(%%f)\n}\n' >thing.inlay

$ inlay print thing.inlay
thing.inlay:3: error: unknown operation Thing of version extension
thing.inlay: error: Inlay does not know these operations: Thing of extension (line 2); `inlay info --allow-unknown` shows the rest of the model
[2]

$ inlay print --allow-unknown thing.inlay
graph "g" {
  %f = ?Thing@extension : dynamic[...]
  %r = Result-1(%f)
}

$ inlay info thing.inlay
thing.inlay:3: error: unknown operation Thing of version extension
thing.inlay: error: Inlay does not know these operations: Thing of extension (line 2); `inlay info --allow-unknown` shows the rest of the model
[2]

$ inlay info --allow-unknown thing.inlay | grep -A2 nodes
nodes: 2
  Result-1                         1
  Thing of extension               1  not known to Inlay, first on line 2

$ inlay convert thing.inlay thing.json
thing.inlay:3: error: unknown operation Thing of version extension
thing.inlay: error: Inlay does not know these operations: Thing of extension (line 2); `inlay info --allow-unknown` shows the rest of the model
[2]

$ inlay convert --allow-unknown thing.inlay thing.json

# Where the file says no version there is none to tell; all are named.
$ printf '{"format": "inlay-graph", "format_version": 1, "name": "two",\n "inputs": [{"name": "x", "type": "f32", "shape": [2]}],\n "nodes": [\n  {"name": "a", "type": "Relu6", "inputs": ["x"]},\n  {"name": "b", "type": "Relu6", "inputs": ["a"]},\n  {"name": "c", "type": "Gelu7", "version": "opset9", "inputs": ["b"]}],\n "outputs": ["c"]}\n' >two.json; inlay info two.json 2>&1 | tail -1
two.json: error: Inlay does not know these operations: Gelu7 of opset9 (line 6), Relu6 (2 times, first on line 4); `inlay info --allow-unknown` shows the rest of the model

# A file that is replaced keeps its mode, and one that is protected against writing stays.
$ inlay convert "$ROOT/models/digits/digits.xml" kept.xml && chmod 640 kept.xml && chmod 604 kept.bin && inlay convert "$ROOT/models/digits/digits.xml" kept.xml && stat -c %a kept.xml kept.bin
640
604

$ chmod 444 kept.bin; cp kept.bin before; inlay convert "$ROOT/models/digits/digits.xml" kept.xml; cmp kept.bin before && stat -c %a kept.bin && ls | grep -c tmp
kept.bin: error: cannot write: Permission denied
444
0
[1]
