# --max-copied and --max-peak: a check for those who rely on what is in place. The numbers follow from the text of the
# models: "out" copies the data, 32 floats, and the updates, 12 floats; nothing else is copied.

$ cp "$ROOT"/models/window/*.inlay "$ROOT"/models/window/*.npy .

$ inlay opt second_reader.inlay --max-copied 175 -o out.inlay
inlay: --max-copied: a run copies 176 bytes, the limit is 175
copied, when the caller keeps all inputs:
  "out" (SliceScatter-15): 176 bytes
why:
second_reader.inlay:13: "out" (SliceScatter-15), window of "rows" (Slice-8):
  overwrite: no (O3 no-later-read): "change" (Subtract-1) reads the old data after the write; copies 128 bytes
    what helps: let the reader take the result, or only positions that are not written, or make it independent of the result so that it can come first
  view: yes
  into: no (O overwrite is refused); copies 48 bytes
    what helps: let it overwrite its data first
[1]

$ inlay plan second_reader.inlay --max-copied 175
inlay: --max-copied: a run copies 176 bytes, the limit is 175
copied, when the caller keeps all inputs:
  "out" (SliceScatter-15): 176 bytes
why:
second_reader.inlay:13: "out" (SliceScatter-15), window of "rows" (Slice-8):
  overwrite: no (O3 no-later-read): "change" (Subtract-1) reads the old data after the write; copies 128 bytes
    what helps: let the reader take the result, or only positions that are not written, or make it independent of the result so that it can come first
  view: yes
  into: no (O overwrite is refused); copies 48 bytes
    what helps: let it overwrite its data first
[1]

$ inlay run second_reader.inlay -i data=data.npy -o out --stats stats.json --max-copied 175 2>&1 | head -3
inlay: --max-copied: a run copies 176 bytes, the limit is 175
copied, when the caller keeps all inputs:
  "out" (SliceScatter-15): 176 bytes

$ inlay bench second_reader.inlay --niter 1 --trace trace.json --max-copied 175 2>&1 | head -3
inlay: --max-copied: a run copies 176 bytes, the limit is 175
copied, when the caller keeps all inputs:
  "out" (SliceScatter-15): 176 bytes

# The exit status is 1, and nothing is written.
$ for how in "run -i data=data.npy -o out --stats stats.json" "bench --niter 1 --trace trace.json"; do
>     inlay ${how%% *} second_reader.inlay ${how#* } --max-copied 175 >/dev/null 2>&1; echo $?
> done; ls out out.inlay stats.json trace.json 2>&1 | wc -l
1
1
4

# What is allowed is enough, and K, M and G are units.
$ for limit in 176 1K 1M 1G; do
>     inlay opt second_reader.inlay --max-copied $limit >/dev/null && inlay plan second_reader.inlay --max-copied $limit >/dev/null &&
>         inlay run second_reader.inlay -i data=data.npy --max-copied $limit >/dev/null &&
>         inlay bench second_reader.inlay --niter 1 --max-copied $limit >/dev/null; echo $?
> done
0
0
0
0

# A run is measured: a donated input is not copied.
$ inlay run window.inlay -i data=data.npy,donate --max-copied 0 --quiet

$ inlay run window.inlay -i data=data.npy --max-copied 0 --quiet
inlay: --max-copied: a run copies 128 bytes, the limit is 0
copied, when the caller keeps all inputs:
  inputs that are written over, but kept by the caller: 128 bytes
[1]

$ inlay plan window.inlay --max-copied 127 2>&1 >/dev/null
inlay: --max-copied: a run copies 128 bytes, the limit is 127
copied, when the caller keeps all inputs:
  inputs that are written over, but kept by the caller: 128 bytes
[1]

# The peak: two results of 128 bytes each, and what stands beside them.
$ inlay plan second_reader.inlay --max-peak 255
inlay: --max-peak: a run holds 320 bytes, the limit is 255
alive at the peak, "change" (Subtract-1), step 4:
  "out" (SliceScatter-15): 128 bytes, made by step 3, read until step 5
  "change" (Subtract-1): 128 bytes, made by step 4, read until step 5
  the rest, places that a run keeps and copies of inputs: 64 bytes
[1]

$ inlay run second_reader.inlay -i data=data.npy --max-peak 255 2>&1 | head -1
inlay: --max-peak: a run holds 320 bytes, the limit is 255

$ inlay run second_reader.inlay -i data=data.npy --max-peak 1K --quiet

# All of them at once; each says what it has to say.
$ inlay opt second_reader.inlay --max-copied 1 --max-peak 1 --require-in-place 2>&1 | grep ^inlay
inlay: --require-in-place: a copy remains
inlay: --max-copied: a run copies 176 bytes, the limit is 1
inlay: --max-peak: a run holds 320 bytes, the limit is 1

# Where only a run can tell, a plan keeps no budget.
$ cat >found.inlay <<'END'
> graph "found" {
>   %x = Parameter-1 {element_type = f32, shape = [?,4]}
>   %y = Parameter-1 {element_type = f32, shape = [?,4]}
>   %n = NonZero-3(%x) {output_type = i64}
>   %c = Concat-1(%x, %y) {axis = 0}
>   %r = Result-1(%c)
>   %s = Result-1(%n)
> }
> END
$ inlay plan found.inlay --max-copied 1K --max-peak 1K
inlay: --max-copied: what a run copies depends on sizes that are not known; set them with --shape or --dim, or measure with `inlay run`
why:
found.inlay:5: "c" (Concat-1): copied
    what helps: let the session carry the result to this input (--carry), if the next run is given it there
inlay: --max-peak: what a run holds depends on sizes that are not known; set them with --shape or --dim, or measure with `inlay run`
[1]

$ inlay run found.inlay -i x=ones -i y=ones --shape x=2,4 --shape y=3,4 --max-copied 80 --quiet

$ inlay run found.inlay -i x=ones -i y=ones --shape x=2,4 --shape y=3,4 --max-copied 79 --quiet 2>&1 | head -1
inlay: --max-copied: a run copies 80 bytes, the limit is 79

$ inlay opt window.inlay --max-copied lots
inlay opt: error: option --max-copied is "lots", it must be a number of bytes such as 512M (see `inlay opt --help`)
[2]

# --require-in-place counts parts that are refused, and views, as it does windows. What only holds a value twice is no
# refusal.
$ cp "$ROOT"/tests/in_place/futhark_*.inlay .

$ for how in 'opt -o out.inlay' 'run --random' 'bench --niter 1'; do
>     inlay ${how%% *} futhark_choice.inlay ${how#* } --require-in-place >/dev/null 2>&1; echo $?
> done
1
1
1

$ inlay plan futhark_choice.inlay --require-in-place 2>&1 >/dev/null
futhark_choice.inlay:13: "c1" (Concat-1), its part "a" (Exp-1):
  into: no (N10 one-place): "c2" (Concat-1) has the value in its own result already; copies 128 KiB
    what helps: let one node hold the value; each further one takes a copy
inlay: --require-in-place: a copy remains
[1]

$ inlay plan futhark_concat_twice.inlay --require-in-place >/dev/null
