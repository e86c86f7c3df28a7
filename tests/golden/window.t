# The models of models/window and models/cache: what they give was computed by numpy, on copies (make.py there), and
# must come bit for bit. What is said of them follows from their text.

$ cp "$ROOT"/models/window/*.inlay "$ROOT"/models/window/*.json "$ROOT"/models/window/*.npy .

# One window.
$ inlay run window.inlay -i data=data.npy --expect out=out.npy --rtol 0 --atol 0 | head -1
out: f32[8,4]

$ inlay run window.inlay -i data=data.npy,donate --expect out=out.npy --rtol 0 --atol 0 | head -1
out: f32[8,4]

$ inlay opt window.inlay --explain --require-in-place
window.inlay:12: "out" (SliceScatter-15), window of "rows" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes
    I3 operands-in-step: "scaled" (Multiply-1) is read at the very positions that are written
    N1 content-made-first: "data" (Parameter-1) makes the rest of the data before
    I1 same-window of "scaled": "rows" (Slice-8) has the same window

# A file that another input would give is noticed.
$ inlay run window.inlay -i data=out.npy --expect out=out.npy >/dev/null 2>&1
[1]

# The same with a second reader.
$ inlay run second_reader.inlay -i data=data.npy,donate --expect out=out.npy --expect change=change.npy \
>     --rtol 0 --atol 0 | grep :
out: f32[8,4]
change: f32[8,4]
out agrees with out.npy: bit for bit
change agrees with change.npy: bit for bit

$ inlay opt second_reader.inlay --explain
second_reader.inlay:13: "out" (SliceScatter-15), window of "rows" (Slice-8):
  overwrite: no (O3 no-later-read): "change" (Subtract-1) reads the old data after the write; copies 128 bytes* (glob)
    what helps: let the reader take the result, or only positions that are not written, or make it independent of the result so that it can come first
  view: yes
  into: no (O overwrite is refused); copies 48 bytes
    what helps: let it overwrite its data first

$ inlay opt second_reader.inlay --require-in-place >/dev/null 2>&1
[1]

# A chain: every window but the first writes over what the one before wrote.
$ inlay run chain.json -i data=chain_data.npy --expect out=chain_out.npy --rtol 0 --atol 0 | head -1
out: f32[66,8]

$ inlay run chain.json -i data=chain_data.npy,donate --expect out=chain_out.npy --rtol 0 --atol 0 | head -1
out: f32[66,8]

$ inlay opt chain.json --explain --require-in-place | grep -v '^chain.json\|^    ' | sort | uniq -c
     32   into: yes
     31   overwrite: yes
      1   overwrite: yes; unless the caller donates the input, it is copied once
     32   view: yes

# The cache: variables carry it from step to step.
$ cp "$ROOT"/models/cache/*.inlay "$ROOT"/models/cache/*.npy .

$ for n in 1 16 40; do
>     inlay run step.inlay -i tokens=tokens.npy -i query=query.npy --repeat $n --expect scores=scores_$n.npy --rtol 0 --atol 0
> done | grep :
scores: f32[16]
scores agrees with scores_1.npy: bit for bit
scores: f32[16]
scores agrees with scores_16.npy: bit for bit
scores: f32[16]
scores agrees with scores_40.npy: bit for bit

$ inlay run step.inlay -i tokens=tokens.npy -i query=query.npy --repeat 39 --expect scores=scores_40.npy >/dev/null 2>&1
[1]

$ inlay opt step.inlay --explain --require-in-place
step.inlay:16: "new_cache" (ScatterUpdate-3):
  overwrite: yes; what is written over is kept until the run has succeeded
  updates: copied, 32 bytes
    what helps: say the places by a window or a Range; what is computed for those that a list names is copied there
step.inlay:14: "row" (Gather-8):
  view: yes
