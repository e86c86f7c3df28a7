# Files that stand beside each other in one folder, and what they are called.

$ M="$ROOT/models/digits"; cp "$M/ten.npy" "$M/ten_expected.npy" .
> for f in xml json inlay xml; do inlay convert "$M/digits.xml" a.$f; done; ls a.*
a.bin
a.inlay
a.json
a.json.bin
a.xml

$ for f in xml json inlay; do inlay run a.$f -i image=ten.npy --expect probabilities=ten_expected.npy --quiet; done

# What takes the place of the weights is told, also when it has as many bytes.
$ cp a.json.bin a.bin; inlay run a.xml -i image=ten.npy --quiet
a.xml:497: error: a.bin is not the weights file of this model: it has 106240 bytes, not 106816
[2]

$ inlay convert a.json a.xml; printf x | dd of=a.bin bs=1 seek=1000 conv=notrunc 2>/dev/null; inlay info a.xml
a.xml:497: error: a.bin is not the weights file of this model: its bytes are others
[2]

$ inlay convert a.json b.json; cp b.json.bin c; printf x | dd of=b.json.bin bs=1 seek=9 conv=notrunc 2>/dev/null
> inlay info b.json 2>&1 | sed 's/.*file: //'; cp c b.json.bin; inlay info b.json | head -1
"b.json.bin" is not the weights file of this model: its bytes are others
b.json: digits

# --weights is asked, too. Without the record, as in files of other tools, nothing is.
$ inlay info a.xml --weights c
a.xml:497: error: c is not the weights file of this model: it has 106240 bytes, not 106816
[2]

$ grep -v inlay_weights a.xml >d.xml; inlay info d.xml --weights a.bin | head -1
d.xml: digits

# A file that an older release wrote names other weights.
$ sed 's/b.json.bin/b.bin/; s/^  "meta.*/  "meta": []/; /"weights":/d' b.json >old.json; cp c b.bin; inlay info old.json | head -1
old.json: digits

# No file is written twice by one command.
$ inlay run a.inlay -i image=ten.npy --quiet -o out --stats out/0.npy
out/0.npy: error: two files of this name would be written
[2]

$ ls out
ls: cannot access 'out': No such file or directory
[2]

$ inlay bisect a.inlay --before x.inlay --after y.inlay --small x.inlay
inlay bisect: error: two graphs would be written to x.inlay (see `inlay bisect --help`)
[2]

# Candidates of reduce go with all their files.
$ mkdir tmp; TMPDIR=$PWD/tmp inlay reduce a.inlay --keep "inlay info {} | grep Convolution" --match Convolution --tries 3 -o r.json >/dev/null; ls tmp

# Constants of one model lie elsewhere in the weights of each format.
$ cat >two.inlay <<'END'
> graph "two" {
>   %a = Const-1 {value = i8[3] [1, 2, 3]}
>   %b = Const-1 {value = f32[2] [1, 2]}
>   %r = Result-1(%a)
>   %s = Result-1(%b)
> }
> END
$ inlay convert two.inlay two.xml; inlay convert two.inlay two.json; inlay run two.xml | sed -n '2p;4p'
  [1, 2, 3]
  [1, 2]

# A write that fails leaves both files as they were: a full device, a limit of the size.
$ mkdir full; cd full; for f in xml json; do inlay convert ../two.inlay m.$f; done; cat * | cksum >../before
> ln -s /dev/full w.bin; ln -s /dev/full w.json.bin
> for f in xml json; do inlay convert ../a.inlay w.$f; done; ls -A; rm w.*
w.bin: error: cannot write: No space left on device
w.json.bin: error: cannot write: No space left on device
m.bin
m.json
m.xml
w.bin
w.json.bin

$ cd full; for n in 1 100; do for f in xml json; do (trap '' XFSZ; ulimit -f $n; inlay convert ../a.inlay m.$f); done; done; ls -A; cat * | cksum | cmp - ../before
m.bin: error: cannot write: File too large
m.json.bin: error: cannot write: File too large
m.bin: error: cannot write: File too large
m.json.bin: error: cannot write: File too large
m.bin
m.json
m.xml
