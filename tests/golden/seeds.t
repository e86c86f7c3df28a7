# Every example of the documents the project started from, with the result the document prints.

$ cat >expect <<'EOF'
> # usage: expect SUFFIX "INPUTS" MODEL...
> suffix=$1 inputs=$2
> shift 2
> for model; do
>     file=$ROOT/models/seeds/$model
>     inlay run "$file.$suffix" $inputs --expect output="$file.npy" --rtol 0 --atol 0 >out 2>&1 ||
>         { echo "$model:"; cat out; continue; }
>     echo "$model ok"
> done
> EOF

$ sh expect xml "-i data=iota" slice_scatter_1 slice_scatter_2 slice_scatter_3
slice_scatter_1 ok
slice_scatter_2 ok
slice_scatter_3 ok

$ sh expect xml "" scatter_update_2
scatter_update_2 ok

# 375 million updates are too many to run here: the shapes must be right.
$ inlay info "$ROOT/models/seeds/scatter_update_1.xml" | grep f32
  data                 f32[1000,256,10,15]
  updates              f32[1000,125,20,10,15]
  output               f32[1000,256,10,15]

$ sh expect json "" onnx_slice_13_1 onnx_slice_13_2 onnx_slice_11_1 onnx_slice_11_2 \
>     onnx_slice_10_1 onnx_slice_10_2 onnx_slice_1_1 onnx_slice_1_2
onnx_slice_13_1 ok
onnx_slice_13_2 ok
onnx_slice_11_1 ok
onnx_slice_11_2 ok
onnx_slice_10_1 ok
onnx_slice_10_2 ok
onnx_slice_1_1 ok
onnx_slice_1_2 ok

$ sh expect json "-i x=iota" onnx_slice onnx_slice_neg onnx_slice_start_out_of_bounds \
>     onnx_slice_end_out_of_bounds onnx_slice_default_axes onnx_slice_default_steps \
>     onnx_slice_neg_steps onnx_slice_negative_axes
onnx_slice ok
onnx_slice_neg ok
onnx_slice_start_out_of_bounds ok
onnx_slice_end_out_of_bounds ok
onnx_slice_default_axes ok
onnx_slice_default_steps ok
onnx_slice_neg_steps ok
onnx_slice_negative_axes ok

$ sh expect json "" mindspore_scatter_src mindspore_scatter_src_add mindspore_scatter_value \
>     mindspore_scatter_value_multiply
mindspore_scatter_src ok
mindspore_scatter_src_add ok
mindspore_scatter_value ok
mindspore_scatter_value_multiply ok

$ sh expect json "-i tensor=zeros" tensorflow_elements tensorflow_rows tensorflow_cross
tensorflow_elements ok
tensorflow_rows ok
tensorflow_cross ok

$ sh expect json "-i tensor=ones" tensorflow_elements_2d
tensorflow_elements_2d ok

$ sh expect json "-i tensor=zeros -i updates=ones" tensorflow_clips tensorflow_frames
tensorflow_clips ok
tensorflow_frames ok

# No model of the folder was left out above: all but one have a result.
$ ls "$ROOT"/models/seeds/*.xml "$ROOT"/models/seeds/*.json | wc -l
31

$ ls "$ROOT"/models/seeds/*.npy | wc -l
30
