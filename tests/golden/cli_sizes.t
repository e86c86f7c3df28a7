# Sizes that `run --random` makes up where a model leaves them open.

$ cat >input.sh <<'END'
> # usage: input TYPE SHAPE [WEIGHTS]: a model of one input, and a Convolution with WEIGHTS if they are given
> input() {
>     echo "graph \"g\" {"
>     echo "%x = Parameter {element_type = $1, shape = $2}"
>     if [ "${3:-}" ]; then echo "%w = Const-1 {value = f32$3}"; echo "%y = Convolution(%x, %w) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], dilations = [1,1]}"; fi
>     echo "%r = Result(%x)"
>     echo "}"
> }
> END

# Pictures: one of them, and high and wide enough for a network.
$ . ./input.sh; for i in 'f32 [?,3,?,?]' 'u8 [?,?,?,3]' 'f32 [1,1,?,?]' 'f32 [?,3,48,?]' 'f32 [?,?,?,?]' 'u8 [?,?,3]' 'f32 [3,?,?]' 'f32 [?,3,224..,224..]' 'f32 [?,3,..100,..100]'; do
>     input $i >m.inlay; inlay run m.inlay --random | grep x:
> done
x: f32[1,3,224,224]
x: u8[1,224,224,3]
x: f32[1,1,224,224]
x: f32[1,3,48,224]
x: f32[1,3,224,224]
x: u8[224,224,3]
x: f32[3,224,224]
x: f32[1,3,224,224]
x: f32[1,3,100,100]

# The shape rules say how many channels there are.
$ . ./input.sh; input f32 '[?,?,?,?]' '[1,1,1,1] [1]' >m.inlay; inlay run m.inlay --random | grep x:
x: f32[1,1,224,224]

# Other inputs are small. A size that is asked for stays.
$ . ./input.sh; for i in 'f32 [?,4]' 'i64 [?,?]' 'f32 [?]' 'f32 [?,8,?,64]'; do
>     input $i >m.inlay; inlay run m.inlay --random | grep x:
> done
x: f32[3,4]
x: i64[3,3]
x: f32[3]
x: f32[3,8,3,64]

$ . ./input.sh; input f32 '[?,3,?,?]' >m.inlay; inlay run m.inlay --random --shape x=2,3,5,7 | grep x:
x: f32[2,3,5,7]

# No size of a picture fits: one is asked for.
$ . ./input.sh; input f32 '[?,?,?,?]' '[1,5,1,1] [1,2,3,4,5]' >m.inlay; inlay run m.inlay --random; inlay run m.inlay --random --shape x=1,5,2,2 | grep x:
m.inlay:2: error: node "x" (Parameter-1): no usual size of a picture fits [?,?,?,?]: give --shape x=DIMS
x: f32[1,5,2,2]
