# models/tiny-gpt: a transformer that adds. Its test set, and the scores that numpy computed in f64 without a cache.

$ M=$ROOT/models/tiny-gpt; ask_gpt $M/tiny-gpt.xml 123+456 7+35 999+999
123+456=0579.
007+035=0042.
999+999=1998.

$ ask_gpt --score "$ROOT/models/tiny-gpt/tiny-gpt.xml" "$ROOT/models/tiny-gpt/sums.npy"
999 of 1000 sums are right (99.9 %)

$ M=$ROOT/models/tiny-gpt; inlay run $M/tiny-gpt.xml -i tokens=$M/prompt.npy --expect scores=$M/scores_first.npy --quiet

# What a run gives is what the next one takes, and each run is shown: 0579 and the full stop.
$ M=$ROOT/models/tiny-gpt; inlay run $M/tiny-gpt.xml -i tokens=$M/prompt.npy --repeat 5 --feed next=tokens \
>     --expect scores=$M/scores_last.npy | sed -n '/^next/{n;p;}' | tr -d '\n'
  [[0]]  [[5]]  [[7]]  [[9]]  [[12]] (no-eol)

# The same with the cache as inputs and outputs: what is fed is the next run's to write over, so that no step but the
# first copies it.
$ cat >feed.sh <<'END'
> M=$ROOT/models/tiny-gpt
> feed="--feed next=tokens --feed position_out=position" zeros="-i position=zeros"
> for c in keys0 values0 keys1 values1; do feed="$feed --feed ${c}_out=$c" zeros="$zeros -i $c=zeros"; done
> END

$ . ./feed.sh; inlay run $M/tiny-gpt.onnx -i tokens=$M/prompt.npy $zeros $feed --repeat 5 \
>     --expect scores=$M/scores_last.npy --stats stats.json | sed -n '/^next/{n;p;}' | tr -d '\n'
  [[0]]  [[5]]  [[7]]  [[9]]  [[12]] (no-eol)

$ tr ',' '\n' <stats.json | sed -n 's/.*"copied_bytes": //p' | awk '$1 >= 4096'

# One token: no copy of a cache, of 4096 bytes here.
$ inlay plan "$ROOT/models/tiny-gpt/tiny-gpt.xml" --shape tokens=1,1 --max-copied 2K | sed -n '/^copied/p; s/^ *[0-9]* moves *\(.*SliceScatter.*in place\)/\1/p'
"keys0" (SliceScatter-15), in place, copies 256 bytes
"values0" (SliceScatter-15), in place, copies 256 bytes
"keys1" (SliceScatter-15), in place, copies 256 bytes
"values1" (SliceScatter-15), in place, copies 256 bytes
copied: 1280 bytes a run

# --feed names an output and an input.
$ inlay run "$ROOT/models/tiny-gpt/tiny-gpt.xml" --random --feed next=token
inlay: error: --feed next=token: OUTPUT=INPUT is expected, the name of an output of the model and that of an input
[2]

$ ask_gpt "$ROOT/models/tiny-gpt/tiny-gpt.xml" hello
ask_gpt: hello: a sum such as 123+456 is expected
[1]

$ ask_gpt --score "$ROOT/models/tiny-gpt/tiny-gpt.xml" "$ROOT/models/digits/ten.npy"
ask_gpt: $ROOT/models/digits/ten.npy: lines of 13 tokens are expected
[1]
