# A folder of tests: what passes, what differs, what cannot be read, what is drawn at random, data in .npy.
$ mkdir -p s/a/abs/test_data_set_0 s/a/bad/test_data_set_0 s/drawn/test_data_set_0 s/none/test_data_set_0 s/.hidden/x/test_data_set_0

$ printf 'graph "g" { %%x = Parameter {element_type = f32, shape = [3]}\n %%y = Abs(%%x)\n %%r = Result(%%y) }\n' | tee s/a/abs/model.inlay >s/a/bad/model.inlay

$ printf 'graph "g" { %%n = Const {value = i64[1] [3]}\n %%l = Const {value = f32[] [0]}\n %%h = Const {value = f32[] [1]}\n %%y = RandomUniform(%%n, %%l, %%h) {output_type = f32}\n %%r = Result(%%y) }\n' >s/drawn/model.inlay

$ cat >npy.sh <<'END'
> # Prints a .npy file of three floats, whose bytes are the argument.
> printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"
> printf "$1"
> END

$ sh npy.sh '\0\0\200\277\0\0\0\100\0\0\100\100' | tee s/a/abs/test_data_set_0/input_0.npy s/a/bad/test_data_set_0/input_0.npy >s/drawn/test_data_set_0/output_0.npy

$ sh npy.sh '\0\0\200\077\0\0\0\100\0\0\100\100' >s/a/abs/test_data_set_0/output_0.npy

$ sh npy.sh '\0\0\200\077\0\0\0\100\0\0\200\100' >s/a/bad/test_data_set_0/output_0.npy

$ inlay run --test-data s
FAIL a/bad (planned): output "y" differs from test_data_set_0/output_0.npy: element [2] is 3, it must be 4; 1 of 3 elements differ, the worst error is 1
FAIL none (planned): cannot open: No such file or directory
operator                               tests    planned  reference
Abs                                        2          1          1
RandomUniform                              1          1          1
planned: 2 of 4 pass, 1 of them by types and shapes only
reference: 2 of 4 pass, 1 of them by types and shapes only
[1]

# A tolerance, a filter, a single test, JSON, JUnit.
$ inlay run --test-data s --filter 'a/*' --rtol 1 --exec planned --quiet --junit j.xml && sed 's/time="[0-9.]*"/T/' j.xml
planned: 2 of 2 pass
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="planned" tests="2" failures="0" skipped="0">
  <testcase classname="planned" name="a/abs" T/>
  <testcase classname="planned" name="a/bad" T/>
</testsuite>
</testsuites>

$ inlay run --test-data s/none --exec reference --json | sed 's/"seconds": [0-9.]*/S/'
{"folder": "s/none", "tests": 1, "reference": {"pass": 0, "shape": 0, "skip": 0, "fail": 1}, "results": [
  {"name": "none", "operators": [], "reference": {"result": "fail", S, "why": "cannot open: No such file or directory"}}
], "operators": []}

$ inlay run s/drawn/model.inlay --test-data s/drawn
y agrees with test_data_set_0/output_0.npy: in type and shape, its elements are drawn at random

# Another runtime: one that is right, that does not take the model, that fails, crashes, kills its caller, hangs.
$ inlay run --test-data s/a/abs --quiet --oracle 'sh -c '\''tail -2 "$2/inputs.json"; sh npy.sh "\0\0\200\077\0\0\0\100\0\0\100\100" >"$2/output_0.npy"'\'' x'
oracle: 1 of 1 pass

$ inlay run --test-data s/a/abs --quiet --json --oracle 'sh -c "echo knows no Abs; exit 4"' | grep -o '"result": .*"' | sed 's/"seconds": [0-9.]*/S/'
"result": "skip", S, "why": "knows no Abs"

$ inlay run --test-data s/a/abs --quiet --oracle 'sh -c "echo out of luck; exit 3"'
FAIL abs (oracle): the oracle ends with status 3: out of luck
oracle: 0 of 1 pass
[1]

$ inlay run --test-data s/a/abs --quiet --oracle true
FAIL abs (oracle): output_0.pb: cannot open: No such file or directory
oracle: 0 of 1 pass
[1]

$ inlay run --test-data s/a/abs --quiet --oracle 'kill -KILL $PPID;:'
FAIL abs (oracle): it crashes: signal 9 (Killed)
oracle: 0 of 1 pass
[1]

$ inlay run --test-data s/a/abs --quiet --oracle 'sleep 30;:' --seconds 1
FAIL abs (oracle): it was ended after 1 s
oracle: 0 of 1 pass
[1]

# What is wrong with the command itself.
$ inlay run
inlay run: error: MODEL is missing (see `inlay run --help`)
[2]

$ inlay run --test-data s --filter nothing; inlay run --test-data j.xml; mkdir e; inlay run --test-data e
s: error: no test has a name like "nothing"
j.xml: error: cannot open: Not a directory
e: error: has no test: a folder with a model and a folder test_data_set_0
[2]

$ inlay run s/drawn/model.inlay --test-data s/drawn --filter x
inlay run: error: --filter, --oracle, --json and --junit are for --test-data without a MODEL (see `inlay run --help`)
[2]
