# A product with weights of few bits, and what becomes of it: one operation, unless a pass is left out, or another
# program is to read what is written.

$ cat >model.inlay <<'END'
> graph "g" {
>   %x = Parameter {element_type = f32, shape = [2,2]}
>   %w = Const {value = i8[2,3] [-128, 2, 3, 127, 0, 5]}
>   %s = Const {value = f32[1,3] [0.5, 0.25, 2]}
>   %wide = Convert(%w) {destination_type = f32} rt_info { attribute(name = "decompression") }
>   %weights = Multiply(%s, %wide)
>   %y = MatMul(%x, %weights)
>   %r = Result(%y)
> }
> END

$ inlay opt model.inlay | grep -c MatMulCompressed-1@inlay
1

$ inlay opt model.inlay --disable keep-compressed | grep -c 'Convert\|Multiply\|MatMul-1'
3

$ inlay opt model.inlay -o small.inlay && grep -c MatMulCompressed small.inlay
1

$ inlay opt model.inlay -o read.xml && grep -c 'MatMulCompressed' read.xml
0
[1]

$ inlay opt model.inlay --passes keep-compressed,eliminate-dead -o own.xml && inlay verify model.inlay own.xml
same: 64 of 64 trials counted

$ inlay opt --verify model.inlay 2>&1 >nothing | grep compressed
keep-compressed          same: 64 of 64 trials counted

# 1 * -64 + 1 * 63.5 = -0.5, 0.5 + 0 = 0.5, 6 + 10 = 16
$ inlay run model.inlay -i x=ones
y: f32[2,3]
  [[-0.5, 0.5, 16],
   [-0.5, 0.5, 16]]

# Filters of few bits are floats in what runs, because no kernel reads them as they are, and stay as they are in files.
$ k=$(awk 'BEGIN { for (i = 0; i < 1100; i++) printf "%d, ", i % 99; print 1 }'); cat >filters.inlay <<END
> graph "g" {
>   %x = Parameter {element_type = f32, shape = [1,1,4]}
>   %k = Const {value = i8[367,1,3] [$k]}
>   %s = Const {value = f32[] 0.5}
>   %wide = Convert(%k) {destination_type = f32}
>   %f = Multiply(%wide, %s)
>   %y = Convolution(%x, %f) {strides = [1], pads_begin = [0], pads_end = [0], dilations = [1], auto_pad = explicit}
>   %r = Result(%y)
> }
> END

$ inlay opt filters.inlay | grep -c 'Convert-1\|Multiply-1'
0
[1]

$ inlay opt filters.inlay -o filters.xml && grep -c 'type="Convert"\|type="Multiply"' filters.xml
2
