# `inlay view`: a page that shows a graph. What the page does in a browser is tested by tests/browser.

$ inlay view "$ROOT/models/window/second_reader.inlay" -o page.html

$ head -c 15 page.html; grep -c '^<script' page.html; grep -o '<title>.*</title>' page.html | sed 's|[^>]*/models|models|'; grep -cE 'https?:|src=|url\(' page.html
<!DOCTYPE html>2
<title>models/window/second_reader.inlay</title>
0
[1]

# Without -o it is printed.
$ inlay view "$ROOT/models/window/second_reader.inlay" | cmp - page.html

# What is decided about writing in place, in the words of --explain, and the bytes that are copied.
$ grep -o 'overwrite: no (O3.*reads the old data after the write; copies [0-9]* bytes' page.html
overwrite: no (O3 no-later-read): \"change\" (Subtract-1) reads the old data after the write; copies 128 bytes

$ tr -d '\n' <page.html | grep -oE '"(copied|peak)":[0-9]*|"remarks":\[\[[0-9]*,[0-9]*,1'
"remarks":[[9,176,1
"peak":320
"copied":176

# A graph and what the passes make of it; after each change; two files; times and errors.
$ echo "grep -oE '\"title\":\"[^\"]*\",\"file|\"name\":\"[a-z]*\"' page.html | sed 's|\"file||; s|:.*/|: |'" >facts

$ inlay view "$ROOT/examples/folded.inlay" --passes default -o page.html && sh facts
"title":"as the file has it",
"title":"after default",

$ inlay view "$ROOT/examples/folded.inlay" --step -o page.html && sh facts
"title":"as the file has it",
"title":"after 1: fold-constants at scattered",
"title":"after 2: eliminate-dead at table",
"title":"after default",

$ inlay view "$ROOT/models/window/window.inlay" "$ROOT/models/window/second_reader.inlay" --values --time -o page.html && sh facts
"title": window.inlay",
"name":"time"
"name":"error"
"title": second_reader.inlay",
"name":"time"
"name":"error"

$ inlay bench "$ROOT/models/window/window.inlay" --passes none --niter 2 --json >bench.json && inlay view "$ROOT/models/window/window.inlay" --bench bench.json -o page.html && sh facts
"title": window.inlay",
"name":"time"

# Names that try to leave the document stay names.
$ printf 'graph "</title><script>" {\n  %%"</script><script>alert(1)</script>" = Parameter {element_type = f32, shape = [2]}\n  %%r = Result(%%"</script><script>alert(1)</script>")\n}\n' >evil.inlay; inlay view evil.inlay -o page.html; grep -c '<script' page.html; grep -c 'alert' page.html; sh facts
2
1
"title":"evil.inlay",

# Without dot the page lays out by itself, and says why.
$ mkdir bin; PATH=$PWD/bin:/nowhere; export PATH; "$BUILD/inlay" view "$ROOT/models/window/window.inlay" -o page.html; /usr/bin/grep -o '"dot":false,"why":"[^"]*"' page.html
"dot":false,"why":"dot is not there (Debian: apt install graphviz)"

# Errors.
$ inlay view
inlay view: error: A [B] is missing (see `inlay view --help`)
[2]

$ inlay view a.inlay b.inlay --passes default
inlay view: error: options of passes are for one model, which is shown beside what the passes make of it; two are shown as they are (see `inlay view --help`)
[2]

$ inlay view "$ROOT/models/window/window.inlay" --time --bench bench.json
inlay view: error: --time measures, and --bench reads what was measured; one of them is enough (see `inlay view --help`)
[2]

$ inlay view "$ROOT/models/window/window.inlay" --bench missing.json
missing.json: error: cannot open the file: No such file or directory
[2]

$ echo '{' >broken.json; inlay view "$ROOT/models/window/window.inlay" --bench broken.json
broken.json: error: this is no JSON: what `inlay bench --json` prints is expected
[2]

$ echo '{"steps": [{"us": 1}]}' >broken.json; inlay view "$ROOT/models/window/window.inlay" --bench broken.json
broken.json: error: a step has no "name" that is a text and "us" that is a number
[2]

$ echo '{"step": []}' >broken.json; inlay view "$ROOT/models/window/window.inlay" --bench broken.json -o none.html; ls none.html 2>&1 | sed 's/.*: No/No/'
broken.json: error: there is no list "steps": what `inlay bench --json` prints is expected
No such file or directory

$ inlay view "$ROOT/models/window/window.inlay" -o /nowhere/page.html
/nowhere/page.html: error: cannot write: No such file or directory
[3]

# Values in bodies: of the first iteration, and of the branch that is taken.
$ echo "grep -o '\"name\":\"error\".*' page.html | tail -1 | grep -o '[0-9]*,0\.[0-9]*' | wc -l" >errors
$ sed 's/Tanh/Sin/' "$ROOT/examples/cache_loop.inlay" >sine.inlay
$ inlay view "$ROOT/examples/cache_loop.inlay" sine.inlay --values -o page.html; sh errors
3
$ sed '/^\/\/ expect:/,$d; s/%x = Exp-1/%x = Sin-1/; s/%q = ReLU-1/%q = Abs-1/' "$ROOT/tests/passes/in-place-windows/yes_N4_if_outputs.inlay" >sine.inlay
$ sed '/^\/\/ expect:/,$d' "$ROOT/tests/passes/in-place-windows/yes_N4_if_outputs.inlay" >branches.inlay; for c in true false; do inlay view branches.inlay sine.inlay --values -i c=$c -o page.html; sh errors; done
6
0
