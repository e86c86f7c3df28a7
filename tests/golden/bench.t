# `inlay bench`: what it says, not how long things take.

$ inlay bench "$ROOT/models/digits/digits.xml" --niter 5 --threads 1 --shape image=10,1,28,28 | sed -e "s|$ROOT/||" -e 's/[0-9.]\{1,\}/N/g' -e 's/  */ /g' | head -9
models/digits/digitsNxml: passes default, hint latency, N thread
 read N us
 compile N us, N of them passes
 median N us of N runs
 min, pN N us, N us
 rate N runs a second
 peak N bytes; copied N bytes a run, in N steps
steps, each timed, mean of N runs; a copy in memory makes N GB/s:
 us share GB/s calls

# The names of the JSON form are fixed.
$ inlay bench "$ROOT/models/window/window.inlay" --niter 5 --json >window.json

$ tr ',[{' '\n\n\n' <window.json | sed -n 's/^ *\("[a-z_0-9]*":\).*/\1/p' | sort -u | tr '\n' ' '
"bytes": "calls": "compile_us": "copied_bytes": "copy_gb_per_s": "gb_per_s": "hint": "load_us": "median_us": "min_us": "model": "name": "p99_us": "passes": "passes_us": "peak_bytes": "runs": "runs_per_s": "steps": "threads": "type": "us": "version":  (no-eol)

$ grep -o '"runs": [0-9]*' window.json
"runs": 5

# benchmark_app's spellings.
$ inlay bench "$ROOT/models/digits/digits.xml" -niter 2 -nthreads 1 -hint latency -shape 'image[3,1,28,28]' --json --no-steps | grep -o '"runs": [0-9]*\|"threads": [0-9]*\|"steps": \[\]'
"threads": 1
"runs": 2
"steps": []

$ inlay bench "$ROOT/models/digits/digits.xml" -t 0.01 -hint throughput --threads 2 --json --no-steps | grep -o '"hint": "[a-z]*", "threads": [0-9]*'
"hint": "throughput", "threads": 2

# As many threads as are asked for; of the reference there is one.
$ inlay bench "$ROOT/models/digits/digits.xml" --niter 1 --shape image=3,1,28,28 --threads 3 --json --no-steps | grep -o '"threads": [0-9]*'
"threads": 3

$ inlay bench "$ROOT/models/digits/digits.xml" --niter 1 --shape image=3,1,28,28 --threads 3 --exec reference --json --no-steps | grep -o '"threads": [0-9]*'
"threads": 1

# A trace is JSON, with an event for each step.
$ inlay bench "$ROOT/models/window/window.inlay" --niter 1 --trace trace.json --quiet
inlay bench: error: unknown option --quiet (see `inlay bench --help`)
[2]

$ inlay bench "$ROOT/models/window/window.inlay" --niter 1 --trace trace.json >/dev/null

$ grep -o '"cat": "[A-Za-z]*"' trace.json | sort -u | tr -d '\n'
"cat": "Add""cat": "Const""cat": "Multiply""cat": "Slice""cat": "SliceScatter" (no-eol)

# It works on every model of the tree.
$ . "$ROOT/tests/models/small.sh"
> for m in $(cd "$ROOT" && ls models/*/*.xml models/*/*.inlay models/*/*.json models/*/*/*.onnx); do
>     m=$(small "$ROOT/$m")
>     inlay bench "$m" --niter 1 --no-steps >/dev/null 2>err || { echo "$m"; cat err; }
> done

$ inlay bench "$ROOT/models/digits/digits.xml" --hint speed
inlay bench: error: option --hint is "speed", it must be latency or throughput (see `inlay bench --help`)
[2]

$ inlay bench "$ROOT/models/digits/digits.xml" --compare onnxruntime
inlay bench: error: option --compare wants an ONNX file, "$ROOT/models/digits/digits.xml" is none (see `inlay bench --help`)
[2]

$ inlay bench "$ROOT/models/digits/digits.xml" --niter 0
inlay bench: error: option --niter is "0", it must be a whole number from 1 to 2^63-1 (see `inlay bench --help`)
[2]
