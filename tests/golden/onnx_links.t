# External data of ONNX: a regular file below the model's folder, unless the user says otherwise.

# A model of one tensor f32[2], w, which is its output and lies in the file w.bin.
$ mkdir in; printf '\010\010\102\002\020\021\072\043\142\003\012\001w\052\034\010\002\020\001\102\001w\152\021\012\010location\022\005w.bin\160\001' >in/m.onnx

$ printf '\000\000\200\077\000\000\000\100' >up.bin; cp up.bin in/w.bin; inlay run in/m.onnx
w: f32[2]
  [1, 2]

$ rm in/w.bin; inlay info in/m.onnx
in/m.onnx: error: graph.initializer[0] "w": external_data: "w.bin" cannot be opened: No such file or directory
[2]

$ ln -s ../up.bin in/w.bin; inlay info in/m.onnx
in/m.onnx: error: graph.initializer[0] "w": external_data: "w.bin" is not below the model's folder; --follow-links allows links, and --weights FILE names the file
[2]

$ inlay run in/m.onnx --follow-links --quiet

$ inlay run in/m.onnx --weights up.bin --quiet

$ inlay info in/m.onnx --weights nowhere.bin
nowhere.bin: error: cannot open: No such file or directory
[2]

# A link within the folder is the model's own business.
$ cp up.bin in/data; ln -sf data in/w.bin; inlay run in/m.onnx --quiet

# What is no regular file is not even opened.
$ rm in/w.bin; mkfifo in/w.bin; timeout 20 inlay info in/m.onnx
in/m.onnx: error: graph.initializer[0] "w": external_data: "w.bin" is no regular file
[2]

$ rm in/w.bin; mkdir in/w.bin; inlay info in/m.onnx
in/m.onnx: error: graph.initializer[0] "w": external_data: "w.bin" is no regular file
[2]

# Nothing half-written is left.
$ inlay convert in/m.onnx out.xml
in/m.onnx: error: graph.initializer[0] "w": external_data: "w.bin" is no regular file
[2]

$ ls
in
up.bin

# What an external tensor says of its place must fit the file.
$ printf 12345678 >eight.bin; cat >ask.sh <<'END'
> cat >m.json <<JSON
> {"irVersion": "8", "opsetImport": [{"version": "17"}], "graph": {"name": "g", "initializer": [
>   {"dims": ["2"], "dataType": 1, "name": "w", "dataLocation": "EXTERNAL", "externalData": [
>     {"key": "location", "value": "eight.bin"}, {"key": "$1", "value": "$2"}]}]}}
> JSON
> inlay info m.json
> END

$ sh ask.sh length 4
m.json:2: error: graph.initializer[0] "w": external_data: length is 4, the shape needs 8
[2]

$ sh ask.sh offset 1
m.json:2: error: graph.initializer[0] "w": external_data: bytes 1 to 9 are not in "eight.bin", which has 8
[2]

$ sh ask.sh offset 9223372036854775807
m.json:2: error: graph.initializer[0] "w": external_data: bytes 9223372036854775807 to 9223372036854775815 are not in "eight.bin", which has 8
[2]

# Messages within messages end where the binary form's do.
$ { printf '{"irVersion": "8", "graph": {"input": [{"name": "x", "type": '; for i in $(seq 60); do printf '{"sequenceType": {"elemType": '; done; printf '{}'; for i in $(seq 60); do printf '}}'; done; printf '}]}}'; } >deep.json; inlay info deep.json 2>&1 | sed 's/type.*: m/...: m/'
deep.json:1: error: graph.input[0]....: messages are nested more than 100 deep
