# A model reads no file but its own: what it names is a regular file in its folder, unless the user says otherwise.

$ mkdir in hub; cp "$ROOT/models/digits/digits.xml" in/m.xml; cp "$ROOT/models/digits/digits.bin" up.bin

$ ln -s ../up.bin in/m.bin; inlay convert in/m.xml out.inlay
in/m.bin: error: is a link out of the model's folder; --follow-links allows it, and --weights FILE names the weights
[2]

$ ls
hub
in
up.bin

$ for c in info print opt run rules; do inlay $c in/m.xml 2>&1 >/dev/null | sed "s/^/$c: /"; done
info: in/m.bin: error: is a link out of the model's folder; --follow-links allows it, and --weights FILE names the weights
print: in/m.bin: error: is a link out of the model's folder; --follow-links allows it, and --weights FILE names the weights
opt: in/m.bin: error: is a link out of the model's folder; --follow-links allows it, and --weights FILE names the weights
run: in/m.bin: error: is a link out of the model's folder; --follow-links allows it, and --weights FILE names the weights
rules: in/m.bin: error: is a link out of the model's folder; --follow-links allows it, and --weights FILE names the weights

$ inlay verify "$ROOT/models/digits/digits.xml" in/m.xml
in/m.bin: error: is a link out of the model's folder; --follow-links allows it, and --weights FILE names the weights
[2]

$ for c in info print opt "run --random" rules; do inlay $c in/m.xml --follow-links >/dev/null || echo $c; done

$ inlay verify "$ROOT/models/digits/digits.xml" in/m.xml --follow-links
same: 64 of 64 trials counted
  not covered: open sizes above 257

$ inlay info in/m.xml --weights up.bin | head -1
in/m.xml: digits

# As caches of model hubs do it.
$ cp in/m.xml hub/1; cp up.bin hub/2; mkdir snapshot; ln -s ../hub/1 snapshot/m.xml; ln -s ../hub/2 snapshot/m.bin

$ inlay info snapshot/m.xml --follow-links | head -1
snapshot/m.xml: digits

# A link within the folder is the model's own business.
$ cp up.bin in/weights; ln -sf weights in/m.bin; inlay info in/m.xml | head -1
in/m.xml: digits

# What is no regular file is not even opened.
$ rm in/m.bin; mkfifo in/m.bin; timeout 20 inlay info in/m.xml
in/m.bin: error: is no regular file; --weights FILE names another
[2]

$ ln -sf /dev/zero in/m.bin; timeout 20 inlay info in/m.xml --follow-links
in/m.bin: error: is no regular file; --weights FILE names another
[2]

$ rm in/m.bin; mkdir in/m.bin; inlay info in/m.xml
in/m.bin: error: is no regular file; --weights FILE names another
[2]

$ rmdir in/m.bin; ln -s m.bin in/m.bin; inlay info in/m.xml
in/m.bin: error: cannot open: Too many levels of symbolic links
[2]

# A sparse file costs nothing to make; what would be read of it does.
$ rm in/m.bin; truncate -s 2T in/m.bin && inlay info in/m.xml
in/m.bin: error: the file has 2199023255552 bytes, at most 1099511627776 are read
[3]

# The user may name anything; what cannot be mapped is read within the limit.
$ rm in/m.bin; cat up.bin | inlay info in/m.xml --weights /dev/stdin | head -1
in/m.xml: digits

$ inlay info in/m.xml --weights /dev/zero --max-memory 1M 2>&1 | sed 's/[0-9]* that/N that/'
/dev/zero: error: the file has more bytes than the N that are read

$ for c in print rules run; do inlay $c /dev/zero --max-memory 1M; done; inlay convert /dev/zero x.xml --max-memory 1M
/dev/zero: error: the file has more bytes than the 1048064 that are read
/dev/zero: error: the file has more bytes than the 1048064 that are read
/dev/zero: error: the file has more bytes than the 1048064 that are read
/dev/zero: error: the file has more bytes than the 1048064 that are read
[3]

# JSON names its files itself.
$ inlay convert in/m.xml --weights up.bin in/j.json; mv in/j.json.bin j.bin; ln -s ../j.bin in/j.json.bin

$ inlay info in/j.json 2>&1 | sed 's/.*file: //'
"j.json.bin" leads out of the document's folder; --follow-links allows it

$ inlay info in/j.json --follow-links | head -1
in/j.json: digits

$ rm in/j.json.bin; mkfifo in/j.json.bin; timeout 20 inlay info in/j.json --follow-links 2>&1 | sed 's/.*file: //'
"j.json.bin" is no regular file
