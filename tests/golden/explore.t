# `inlay explore`: all graphs that rules reach from one.

# A rule with two places that have nothing to do with each other: both, one, the other, none.
$ cat >twice.inlay <<'END'
> graph "g" {
>   %x = Parameter {element_type = f32, shape = [4]}
>   %a = Negative(%x)
>   %b = Negative(%a)
>   %y = Parameter {element_type = f32, shape = [4]}
>   %c = Negative(%y)
>   %d = Negative(%c)
>   %sum = Add(%b, %d)
>   %r = Result(%sum)
> }
> END
$ cat >negative.rules <<'END'
> rule twice-negative exact:
>   Negative(Negative(x)) => x
> END
$ inlay explore twice.inlay --rules negative.rules -o best.inlay
   #  from   written  nodes    copied  function     made by
   0     0        25      8         0  same
   1     0        15      6         0  same         twice-negative at "b"
   2     0        15      6         0  same         twice-negative at "d"
   3     1         5      4         0  same         twice-negative at "d"
4 graphs, and there are no more; cheapest by the measure: 3, by copied bytes: 3
$ inlay print best.inlay
graph "g" {
  %x = Parameter-1 {element_type = f32, shape = [4]} : f32[4]
  %y = Parameter-1 {element_type = f32, shape = [4]} : f32[4]
  %sum = Add-1(%x, %y) : f32[4]
  %r = Result-1(%sum)
}
$ inlay explore twice.inlay --rules negative.rules --limit 2 --json
{"complete": false, "cheapest_by_measure": 1, "cheapest_by_copied": 1, "graphs": [
  {"graph": 0, "from": 0, "depth": 0, "rule": "", "at": "", "foreign": 0, "written": 25, "nodes": 8, "elements": 28, "transposes": 0, "ways": 27, "operands": 7, "copied_bytes": 0, "result": "same", "trials": 0, "counted": 0, "why": null, "not_covered": []},
  {"graph": 1, "from": 0, "depth": 1, "rule": "twice-negative", "at": "b", "foreign": 0, "written": 15, "nodes": 6, "elements": 20, "transposes": 0, "ways": 18, "operands": 5, "copied_bytes": 0, "result": "same", "trials": 16, "counted": 16, "why": null, "not_covered": []}
]}

# Rules that undo each other end, because no graph is found twice.
$ cat >turn.rules <<'END'
> rule turned exact:
>   Add(x, y) => Add(y, x)
> END
$ inlay explore twice.inlay --rules turn.rules
   #  from   written  nodes    copied  function     made by
   0     0        25      8         0  same
   1     0        25      8         0  same         turned at "sum"
2 graphs, and there are no more; cheapest by the measure: 0, by copied bytes: 0

# A wrong rule: what it makes is never the cheapest, and the status is 1.
$ cat >wrong.rules <<'END'
> rule wrong exact:
>   Negative(x) => x
> END
$ inlay explore twice.inlay --rules wrong.rules --limit 3
   #  from   written  nodes    copied  function     made by
   0     0        25      8         0  same
   1     0        20      7         0  different    wrong at "a"
     output "sum" of the second graph: element [0] is -2, it must be 4; 4 of 4 elements differ, the worst error is 8
   2     0        20      7         0  different    wrong at "c"
     output "sum" of the second graph: element [0] is 2, it must be 4; 4 of 4 elements differ, the worst error is 6
3 graphs, the limit; cheapest by the measure: 0, by copied bytes: 0
[1]

# One of several spellings of a write; by copied bytes another one may be the cheapest.
$ cat >window.inlay <<'END'
> graph "window" {
>   %data = Parameter {element_type = f32, shape = [8,4]}
>   %start = Const {value = i64[1] [2]}
>   %stop = Const {value = i64[1] [5]}
>   %step = Const {value = i64[1] [1]}
>   %rows = Slice(%data, %start, %stop, %step)
>   %more = Add(%rows, %rows)
>   %out = SliceScatter(%data, %more, %start, %stop, %step)
>   %result = Result(%out)
> }
> END
$ inlay explore window.inlay --limit 4 --by copied -o best.inlay
   #  from   written  nodes    copied  function     made by
   0     0        26      5       128  same
   1     0        26      5       128  same         slice-as-variadic-split at "rows"
   2     0        46      7        80  same         write-as-concat at "out"
   3     0       127      9       111  same         write-as-select at "out"
4 graphs, the limit; cheapest by the measure: 0, by copied bytes: 2
$ inlay explore window.inlay --rules nothing.rules
nothing.rules: error: cannot open the file: No such file or directory
[2]
$ inlay explore window.inlay --by size
inlay explore: error: option --by is "size", it must be measure or copied (see `inlay explore --help`)
[2]
$ inlay explore window.inlay --rules ,
inlay: error: no set of rules is given
[2]
$ inlay explore twice.inlay --rules ,negative.rules, --limit 1 | tail -1
1 graph, the limit; cheapest by the measure: 0, by copied bytes: 0

# --rules is given once for each file, as everywhere, and --sets names built-in ones; a list of both
# after --rules is what it once was.
$ inlay explore twice.inlay --rules negative.rules --rules turn.rules --limit 2 | tail -1
2 graphs, the limit; cheapest by the measure: 1, by copied bytes: 1
$ inlay explore twice.inlay --sets simplify --limit 2 | tail -1
2 graphs, the limit; cheapest by the measure: 1, by copied bytes: 1
$ inlay explore twice.inlay --rules simplify,negative.rules --limit 2 | tail -1
2 graphs, the limit; cheapest by the measure: 1, by copied bytes: 1
$ inlay explore twice.inlay --sets simple
inlay: error: there is no set of rules "simple" (see `inlay rules`)
[2]

# A graph that refuses all inputs that are made up says nothing of what rules make of it.
$ cat >refused.inlay <<'END'
> graph "g" {
>   %x = Parameter {element_type = i32, shape = [2]}
>   %zero = Const {value = i32[2] [0, 0]}
>   %a = Negative(%x)
>   %b = Negative(%a)
>   %q = Divide(%b, %zero)
>   %r = Result(%q)
> }
> END
$ inlay explore refused.inlay --rules negative.rules
   #  from   written  nodes    copied  function     made by
   0     0         9      5         0  same
   1     0         3      3         0  inconclusive twice-negative at "b"
2 graphs, and there are no more; cheapest by the measure: 0, by copied bytes: 0
[4]
