# `inlay fuzz`: graphs that are made up, run by all executors and rewritten by random passes.

$ inlay fuzz --seed 1 --count 30
30 graphs, 0 of them fail

$ inlay fuzz --seed 1..3 --json
[
]

# A wrong rule is found, and told with the smallest graph that shows it.
$ cat >wrong.rules <<'END'
> rule relu-is-abs exact:
>   ReLU(x) => Abs(x)
> END

$ inlay fuzz --seed 13 --count 1 --passes rules --rules wrong.rules
seed 13: difference, pass rules
  application 1, rule relu-is-abs at "ReLU" (ReLU-1), wrong.rules:1
  passes: rules
  output "ReLU" of the second graph: element [0] is 5, it must be 0; 1 of 1 element differs, the worst error is 5
  made small: 3 nodes of 33, operations among them: 1
graph "moves" {
  %p_2 = Parameter-1 {element_type = i8, shape = [1]} : i8[1] label "p"
  %ReLU = ReLU-1(%p_2) : i8[1]
  %reduced = Result-1(%ReLU)
}
1 graph, 1 of them fails
[1]

$ inlay fuzz --seed 10..15 --passes rules --rules wrong.rules -o found --json >found.json
[1]

# What was found is on file; the small graph fails by itself.
$ ls found
10-15.seeds
13.inlay
13.small.inlay
14.inlay
14.small.inlay

$ inlay bisect found/13.small.inlay --passes rules --rules wrong.rules | head -5
found/13.small.inlay: 1 application in 1 pass, 6 runs
application 1 is the first that changes the results:
  pass      rules
  rule      relu-is-abs (wrong.rules:1)
  at        "ReLU" (ReLU-1), line 3

# Seeds are split over processes that share a folder; what they found is collected there.
$ inlay fuzz --seed 16..20 -o found
5 graphs, 0 of them fail

$ inlay fuzz --collect found
seed 13: difference, pass rules, rule relu-is-abs
seed 14: difference, pass rules, rule relu-is-abs
2 tasks, 11 seeds: 2 failed, in 1 task; 0 tasks are unfinished
[1]

$ inlay fuzz --collect found --json
[
  {"seed": 13, "what": "difference, pass rules, rule relu-is-abs"},
  {"seed": 14, "what": "difference, pass rules, rule relu-is-abs"}
]
[1]

# A process that was killed leaves a file that says so.
$ printf 'seeds 21..40 unfinished\n' >found/21-40.seeds && rm found/10-15.seeds

$ inlay fuzz --collect found
unfinished: --seed 21..40
2 tasks, 25 seeds: 0 failed, in 0 tasks; 1 task is unfinished
[4]

# The oracle is handed a folder with a run.
$ cat >oracle.sh <<'END'
> ls "$1" | tr '\n' ' '
> exit 1
> END

$ inlay fuzz --seed 8 --count 1 --large --passes none --oracle 'sh ./oracle.sh' | head -3
seed 8: oracle, the oracle
  passes: none
  graph.json in_0.bin in_1.bin in_2.npy in_3.npy in_4.npy in_5.npy in_6.npy in_7.npy out_0.bin out_1.bin 

$ inlay fuzz --seed 8 --count 1 --oracle 'exit 4;'
1 graph, 0 of them fail

# One that ends otherwise approves of nothing.
$ inlay fuzz --seed 8 --count 1 --large --oracle 'echo no such module; exit 127;' | sed -n '1p; 3p; $p'
seed 8: oracle, the oracle
  the oracle ends with status 127: no such module
1 graph, 1 of them fails
$ inlay fuzz --seed 8 --count 1 --large --oracle 'kill -KILL $$;' | sed -n '3p'
  the oracle ends with status 137: the oracle does not say why

# One that hangs is ended, and what it hangs on is not made small.
$ inlay fuzz --seed 8 --count 1 --oracle 'sleep 1000;' --oracle-seconds 1 | sed -n '1p; 3p; $p'
seed 8: hang, the oracle
  the oracle was ended after 1 s
1 graph, 1 of them fails

# The last seeds of all.
$ inlay fuzz --seed 9223372036854775806 --count 9223372036854775807 --passes none
2 graphs, 0 of them fail

# What is asked wrongly.
$ inlay fuzz --seed 9..3
inlay fuzz: error: option --seed is "3", it must be a whole number from 9 to 2^63-1 (see `inlay fuzz --help`)
[2]

$ inlay fuzz --seed 1..3 --count 2
inlay fuzz: error: options --seed 1..3 and --count exclude each other (see `inlay fuzz --help`)
[2]

$ inlay fuzz --collect nowhere
nowhere: error: the folder cannot be read: No such file or directory
[2]

$ mkdir empty && inlay fuzz --collect empty
empty: error: no file there ends in .seeds
[2]

$ echo nonsense >empty/1-2.seeds && inlay fuzz --collect empty
empty/1-2.seeds:1: error: "seeds FIRST..LAST finished" is expected
[2]

# What the options name must be there: it is neither a failure of each graph nor of none.
$ inlay fuzz --seed 1 --count 3 --passes inplace-windows
inlay: error: there is no pass or pipeline "inplace-windows", did you mean "in-place-windows"?
[2]

$ inlay fuzz --seed 1 --count 3 --rules nowhere.rules
nowhere.rules: error: cannot open the file: No such file or directory
[2]
