# `inlay bisect`: which single application of a pass or a rule changed the results.

$ cat >m.inlay <<'END'
> graph "m" {
>   %x = Parameter {element_type = f32, shape = [4]}
>   %y = Parameter {element_type = f32, shape = [4]}
>   %a = Negative(%x)
>   %b = Negative(%a)
>   %c = Maximum(%b, %b)
>   %d = Minimum(%c, %y)
>   %e = Maximum(%d, %x)
>   %zero = Const {value = f32[] 0}
>   %f = Subtract(%e, %zero)
>   %out = Result(%f)
> }
> END

$ cat >wrong.rules <<'END'
> rule twice-negative exact:
>   Negative(Negative(x)) => x
> rule maximum-of-itself exact:
>   Maximum(x, x) => x
> // Wrong: the smaller of the two is taken.
> rule maximum-turned exact:
>   Maximum(x, y) => Minimum(x, y)
> END

# The third application; what the passes after it make of the graph is not its business.
$ inlay bisect m.inlay --passes rules,default --rules wrong.rules --before before.inlay --after after.inlay
m.inlay: 4 applications in 25 passes, 12 runs
application 3 is the first that changes the results:
  pass      rules
  rule      maximum-turned (wrong.rules:6)
  at        "e" (Maximum-1), line 8
  replaced  "e" (Maximum-1)
  made      "e" (Minimum-1)
this application alone, the graph before it beside the one after it: different: 1 of 64 trials counted, seed 0
  output "f" of the second graph: element [0] is 1, it must be 3; 2 of 4 elements differ, the worst error is 5
  input "x": f32[4]
    [3, -4, -3, 3]
  input "y": f32[4]
    [1, 3, -1, -2]
  the first gives "f": f32[4]
    [3, -4, -3, 3]
  the second gives "f": f32[4]
    [1, -4, -3, -2]
made small: 4 nodes of 7
graph "m" {
  %x = Parameter-1 {element_type = f32, shape = [1]} : f32[1]
  %d_cut = Parameter-1 {element_type = f32, shape = [1]} : f32[1]
  %e = Maximum-1(%d_cut, %x) : f32[1]
  %reduced = Result-1(%e)
}
[1]

$ diff before.inlay after.inlay
5c5
<   %e = Maximum-1(%d, %x) : f32[4]
---
>   %e = Minimum-1(%d, %x) : f32[4]
[1]

$ inlay bisect m.inlay --passes rules --rules wrong.rules --json --trials 1 | tr ',' '\n' | grep -E 'result|serial|rule|alone'
{"result": "different"
 "serial": 3
 "pass": "rules"
 "rule": "maximum-turned (wrong.rules:6)"
 "alone": true

# Nothing to find.
$ inlay bisect m.inlay
same: 64 of 64 trials counted

$ inlay bisect m.inlay --json --trials 2
{"result": "same", "trials": 2, "counted": 2, "why": null, "not_covered": [], "applications": 2, "runs": 1}

# What trials do not cover is said here as `inlay verify` says it.
$ sed 's/Minimum/Concat/; s/%d = .*(%c, %y)/%d = Concat(%c, %y) {axis = 0}/; s/shape = .4./shape = [?]/; s/Maximum(%d, %x)/Maximum(%d, %d)/' m.inlay >open.inlay
$ inlay bisect open.inlay
same: 64 of 64 trials counted
  not covered: open sizes above 257, most pairs of open sizes
$ inlay bisect open.inlay --json
{"result": "same", "trials": 64, "counted": 64, "why": null, "not_covered": ["open sizes above 257, most pairs of open sizes"], "applications": 2, "runs": 1}

$ inlay bisect m.inlay --passes nothing
inlay: error: there is no pass or pipeline "nothing"
[2]

# A rule that goes in circles ends where it began: only the graphs on the way are other functions.
$ cat >circles.rules <<'END'
> rule other-part exact:
>   Concat(x, y) {axis = n} => Concat(y, x) {axis = n}
> END

$ cat >circles.inlay <<'END'
> graph "circles" {
>   %x = Parameter {element_type = f32, shape = [2]}
>   %y = Parameter {element_type = f32, shape = [2]}
>   %j = Concat(%x, %y) {axis = 0}
>   %out = Result(%j)
> }
> END

$ inlay bisect circles.inlay --passes rules --rules circles.rules
inlay: warning: rules were applied 320 times, which is the limit: do they go in circles?
same: 64 of 64 trials counted

$ inlay bisect circles.inlay --passes rules --rules circles.rules --every
inlay: warning: rules were applied 320 times, which is the limit: do they go in circles?
circles.inlay: 320 applications in 1 pass, 4 runs
application 1 is the first that changes the results:
  pass      rules
  rule      other-part (circles.rules:1)
  at        "j" (Concat-1), line 4
  replaced  "j" (Concat-1)
  made      "j" (Concat-1)
this application alone, the graph before it beside the one after it: different: 1 of 64 trials counted, seed 0
  output "j" of the second graph: element [0] is 1, it must be 3; 4 of 4 elements differ, the worst error is 7
  input "x": f32[2]
    [3, -4]
  input "y": f32[2]
    [1, 3]
  the first gives "j": f32[4]
    [3, -4, 1, 3]
  the second gives "j": f32[4]
    [1, 3, 3, -4]
made small: 4 nodes of 4
graph "circles" {
  %x = Parameter-1 {element_type = f32, shape = [1]} : f32[1]
  %y = Parameter-1 {element_type = f32, shape = [1]} : f32[1]
  %j = Concat-1(%x, %y) {axis = 0} : f32[2]
  %out = Result-1(%j)
}
[1]
