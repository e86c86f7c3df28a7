# `inlay diff`: which nodes of two graphs differ, and what passes do to one.

$ cat >a.inlay <<'END'
> graph "g" {
>   %x = Parameter {element_type = f32, shape = [8]}
>   %from = Const {value = i64[1] [2]}
>   %to = Const {value = i64[1] [6]}
>   %one = Const {value = i64[1] [1]}
>   %rows = Slice(%x, %from, %to, %one)
>   %again = Slice(%rows, %one, %to, %one)
>   %half = Const {value = f32[] 0.5}
>   %y = Multiply(%again, %half)
>   %r = Result(%y)
> }
> END

$ inlay diff a.inlay a.inlay
9 the same

# The order of the lines says nothing.
$ { head -1 a.inlay; sed '1d; $d' a.inlay | tac; echo '}'; } >turned.inlay
$ inlay diff a.inlay turned.inlay
9 the same
$ echo 'graph "nothing" {
> }' >nothing.inlay
$ inlay diff nothing.inlay nothing.inlay
0 the same
$ inlay opt nothing.inlay --step
no pass changed anything
$ inlay verify nothing.inlay nothing.inlay --values
same: 64 of 64 trials counted
$ inlay explore nothing.inlay
   #  from   written  nodes    copied  function     made by
   0     0         0      0         0  same
1 graph, and there are no more; cheapest by the measure: 0, by copied bytes: 0
$ sed 's/%rows = Slice(%x,/%rows = Slice(%again,/' a.inlay >circle.inlay
$ inlay diff a.inlay circle.inlay
circle.inlay:7: error: node "again" (Slice-8): the node depends on itself (a cycle)
[2]

# One node more, another constant, and names that say nothing.
$ sed 's/%y = Mul.*/%z = Abs(%again)\n  %y = Multiply(%z, %half)/; s/ 0.5/ 0.25/; s/%from/%begin/' a.inlay >b.inlay
$ inlay diff a.inlay b.inlay
+ %z = Abs-1(%again) : f32[3] // from "z" line 9
< %half = Const-1 {value = f32[] 0.5}
\> %half = Const-1 {value = f32[] 0.25}
< %y = Multiply-1(%again, %half) : f32[3]
\> %y = Multiply-1(%z, %half) : f32[3]
7 the same, 1 added, 1 changed, 1 reconnected
[1]
$ inlay diff b.inlay a.inlay --json
{"same": 7, "differences": [
  {"changes": ["removed"], "a": {"name": "z", "op": "Abs-1", "line": 9, "from": "z", "application": 0}, "b": null},
  {"changes": ["changed"], "a": {"name": "half", "op": "Const-1", "line": 8, "from": "half", "application": 0}, "b": {"name": "half", "op": "Const-1", "line": 8, "from": "half", "application": 0}},
  {"changes": ["reconnected"], "a": {"name": "y", "op": "Multiply-1", "line": 10, "from": "y", "application": 0}, "b": {"name": "y", "op": "Multiply-1", "line": 9, "from": "y", "application": 0}}
]}
[1]

# Another size: what is computed from it is retyped.
$ sed 's/shape = .8./shape = [9]/; s/.1. .6./[1] [7]/' a.inlay >c.inlay
$ inlay diff a.inlay c.inlay
< %x = Parameter-1 {element_type = f32, shape = [8]} : f32[8]
\> %x = Parameter-1 {element_type = f32, shape = [9]} : f32[9]
< %to = Const-1 {value = i64[1] [6]}
\> %to = Const-1 {value = i64[1] [7]}
< %rows = Slice-8(%x, %from, %to, %one) : f32[4]
\> %rows = Slice-8(%x, %from, %to, %one) : f32[5]
< %again = Slice-8(%rows, %one, %to, %one) : f32[3]
\> %again = Slice-8(%rows, %one, %to, %one) : f32[4]
< %y = Multiply-1(%again, %half) : f32[3]
\> %y = Multiply-1(%again, %half) : f32[4]
4 the same, 2 changed, 4 retyped
[1]

# What a pass does; the nodes that it made say so.
$ inlay diff a.inlay --passes simplify,eliminate-dead
+ %Const = Const-1 {value = i64[1] [3]} // from "again" line 7, by 1 simplify slice-of-slice
- %from = Const-1 {value = i64[1] [2]}
+ %Const_4 = Const-1 {value = i64[1] [0]} // from "again" line 7, by 1 simplify slice-of-slice
- %rows = Slice-8(%x, %from, %to, %one) : f32[4]
< %again = Slice-8(%rows, %one, %to, %one) : f32[3]
\> %again = Slice-8(%x, %Const, %Const_2, %Const_3, %Const_4) : f32[3]
6 the same, 2 removed, 2 added, 1 reconnected
[1]

# Bodies are indented.
$ cat >loop.inlay <<'END'
> graph "l" {
>   %x = Parameter {element_type = f32, shape = [2]}
>   %n = Const {value = i64[] 3}
>   %go = Const {value = boolean[] true}
>   %loop = Loop(%n, %go, %x)
>     body "step" {
>       %v = Parameter {element_type = f32, shape = [2]}
>       %w = Abs(%v)
>       %out = Result(%w)
>       %on = Const {value = boolean[] true}
>       %more = Result(%on)
>     }
>     in 2 -> %v
>     out %out -> 0
>     out %more -> none condition
>     back %out -> %v
>   %r = Result(%loop)
> }
> END
$ sed 's/Abs/Negative/' loop.inlay >other.inlay
$ inlay diff loop.inlay other.inlay
  < %w = Abs-1(%v) : f32[2]
  > %w = Negative-1(%v) : f32[2]
9 the same, 1 changed
[1]
$ inlay diff a.inlay b.inlay --passes simplify
inlay diff: error: options of passes are for one model, which is compared with what the passes make of it; two are compared as they are (see `inlay diff --help`)
[2]
$ inlay diff a.inlay missing.inlay
missing.inlay: error: cannot open: No such file or directory
[2]

# Step by step: what each application changes, and the graph behind one of them.
$ inlay opt a.inlay --step
application 1: simplify slice-of-slice at "again" (Slice-8), line 7
+ %Const = Const-1 {value = i64[1] [3]} // from "again" line 7, by 1 simplify slice-of-slice
- %from = Const-1 {value = i64[1] [2]}
+ %Const_4 = Const-1 {value = i64[1] [0]} // from "again" line 7, by 1 simplify slice-of-slice
- %rows = Slice-8(%x, %from, %to, %one) : f32[4]
< %again = Slice-8(%rows, %one, %to, %one) : f32[3]
\> %again = Slice-8(%x, %Const, %Const_2, %Const_3, %Const_4) : f32[3]
6 the same, 2 removed, 2 added, 1 reconnected
$ inlay opt a.inlay --print-after 1
after application 1:
graph "g" {
  %x = Parameter-1 {element_type = f32, shape = [8]} : f32[8]
  %Const = Const-1 {value = i64[1] [3]}
  %Const_2 = Const-1 {value = i64[1] [6]}
  %Const_3 = Const-1 {value = i64[1] [1]}
  %Const_4 = Const-1 {value = i64[1] [0]}
  %again = Slice-8(%x, %Const, %Const_2, %Const_3, %Const_4) : f32[3]
  %half = Const-1 {value = f32[] 0.5}
  %y = Multiply-1(%again, %half) : f32[3]
  %r = Result-1(%y)
}
$ inlay opt a.inlay --print-after 1 | sed 1d >last.inlay
$ inlay opt a.inlay | inlay diff last.inlay -
9 the same
$ inlay opt loop.inlay --passes eliminate-dead --step
no pass changed anything
$ inlay opt a.inlay --print-after 9
inlay: error: there is no application 9 to print the graph after: there are 1
[2]
$ inlay opt a.inlay --print-after fuse --passes simplify
inlay: error: pass "fuse", to print the graph after, does not run
[2]
$ inlay opt a.inlay --print-after 0
inlay opt: error: option --print-after is "0", it must be a whole number from 1 to 2^63-1 (see `inlay opt --help`)
[2]
