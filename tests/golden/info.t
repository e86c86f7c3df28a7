# `inlay info`: what a model holds, and what a run of it would.

$ inlay info "$ROOT/models/window/window.inlay"
$ROOT/models/window/window.inlay: window
inputs:
  data                 f32[8,4]
outputs:
  out                  f32[8,4]
nodes: 11
  Parameter-1                      1
  Const-1                          5
  Result-1                         1
  Add-1                            1
  Multiply-1                       1
  Slice-8                          1
  SliceScatter-15                  1
constants: 5 elements, 32 bytes
memory plan of a run after passes default:
  steps                4
  values               4, 272 bytes; largest: "out", 128
  peak                 128 bytes at "data" (Parameter-1); 176 if nothing were in place
  in place             views: 1, overwrites: 1, into windows: 2
  lifetimes            4 are read last by the next step, 0 after more than 10 steps; longest: "rows", 1

# Without notes the slice and what is computed of it stand beside the result.

$ inlay info "$ROOT/models/window/window.inlay" --passes none | sed -n '/memory/,$p'
memory plan of a run after passes none:
  steps                4
  values               4, 272 bytes; largest: "out", 128
  peak                 192 bytes at "out" (SliceScatter-15); 176 if nothing were in place
  in place             views: 0, overwrites: 0, into windows: 0
  lifetimes            4 are read last by the next step, 0 after more than 10 steps; longest: "rows", 1

$ inlay info "$ROOT/models/window/window.inlay" --json | sed -n '/memory_plan/,$p'
  "memory_plan": {"passes": "default", "steps": 4, "value_bytes": 272, "peak_bytes": 128, "peak_at": "data", "fresh_peak_bytes": 176, "unknown": 0, "about": false,
    "values": [
      {"node": "rows", "output": 0, "bytes": 48, "place": "view", "made": 0, "last": 1},
      {"node": "scaled", "output": 0, "bytes": 48, "place": "into", "made": 1, "last": 2},
      {"node": "shifted", "output": 0, "bytes": 48, "place": "into", "made": 2, "last": 3},
      {"node": "out", "output": 0, "bytes": 128, "place": "overwrites", "made": 3, "last": 4}]}
}

# The plan says before a run what the statistics say after it.

$ cat >agree.sh <<'END'
> model=$1; shift
> inlay info "$model" "$@" --json | grep -o '"steps": [0-9]*\|"peak_bytes": [0-9]*' >plan
> inlay run "$model" --random "$@" --stats stats.json >/dev/null
> grep -o '"steps": [0-9]*\|"peak_bytes": [0-9]*' stats.json | diff plan - && cat plan
> END

$ for m in window.inlay second_reader.inlay chain.json; do sh agree.sh "$ROOT/models/window/$m"; done
"steps": 4
"peak_bytes": 128
"steps": 5
"peak_bytes": 320
"steps": 128
"peak_bytes": 2112

$ sh agree.sh "$ROOT/models/window/chain.json" --passes none
"steps": 128
"peak_bytes": 6464

$ sh agree.sh "$ROOT/models/cache/step.inlay" --shape tokens=16,8
"steps": 9
"peak_bytes": 648

$ sh agree.sh "$ROOT/models/digits/digits.xml" --shape image=10,1,28,28
"steps": 17
"peak_bytes": 314000

$ inlay info "$ROOT/models/cache/step.inlay" --shape tokens=16,8 | sed -n '/inputs/,/outputs/p; /memory/,$p'
inputs:
  tokens               f32[16,8]
  query                f32[8]
outputs:
memory plan of a run after passes default:
  steps                9
  values               9, 1664 bytes; largest: "cache", 512
  peak                 648 bytes at "scores" (MatMul-1); 1072 if nothing were in place
  in place             views: 1, overwrites: 1, into windows: 0
  lifetimes            5 are read last by the next step, 0 after more than 10 steps; longest: "number", 5

# What is not known, or cannot be run.

$ inlay info "$ROOT/models/digits/digits.xml" | sed -n '/memory/,$p'
memory plan of a run after passes default:
  steps                17
  values               17, of sizes that are not known (--shape sets open ones)
  peak                 not known
  in place             views: 1, overwrites: 0, into windows: 0

$ inlay info "$ROOT/models/digits/digits.xml" --shape image=10,3,28,28
$ROOT/models/digits/digits.xml:4: error: layer 0 "image" (Parameter-1): --shape asks for [10,3,28,28], which does not fit [?,1,28,28]
[2]

$ inlay info "$ROOT/models/digits/digits.xml" --shape picture=10,3,28,28
inlay: error: there is no input "picture"; the model has "image"
[2]

$ printf 'graph "g" {\n  %%f = ?Thing@extension : dynamic[...]\n  %%r = Result-1(%%f)\n}\n' >thing.inlay

$ inlay info thing.inlay --allow-unknown | tail -1
memory plan: none, node "f" (Thing of extension): this operation is not in the table, so it cannot be run

$ inlay info thing.inlay --allow-unknown --json | tail -2
  "memory_plan": null
}

$ cat >loop.inlay <<'END'
> graph "loop" {
>   %x = Parameter-1 {element_type = f32, shape = [4,100]} : f32[4,100]
>   %zero = Const-1 {value = f32[] 0}
>   %sum = TensorIterator-1(%x, %zero)
>     body "add" {
>       %row = Parameter-1 {element_type = f32, shape = [1,100]} : f32[1,100]
>       %before = Parameter-1 {element_type = f32, shape = []} : f32[]
>       %one = Negative-1(%row) : f32[1,100]
>       %r = Result-1(%one)
>       %s = Result-1(%before)
>     }
>     in 0 -> %row axis 0 start 0 end -1 stride 1 part_size 1
>     in 1 -> %before
>     out %r -> 0 axis 0 start 0 end -1 stride 1 part_size 1
>     back %s -> %before
>   %y = Result-1(%sum)
> }
> END
$ inlay info loop.inlay | grep peak
  peak                 1600 bytes at "sum" (TensorIterator-1); 2000 if nothing were in place
