# Storage notes in files: what in-place-windows decided is kept by IR version 11, JSON and the text
# form; what is read is a claim, and an illegal one is dropped with its reason.

$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place-windows/yes_O3_moved.inlay" -o a.xml

# Layer 2 is %d, 6 is %z and 7 is %r.
$ grep -A 1 "inlay_[sa]\|<layer id=\"[267]\"" a.xml | grep "layer id\|inlay_[sa]"
		<layer id="2" name="d" type="Tanh" version="opset1">
		<layer id="6" name="z" type="Exp" version="opset1">
		<layer id="7" name="r" type="SliceScatter" version="opset15">
						<attribute name="inlay_storage" version="0" kind="overwrites" layer="2" output="0" relies="O3 6" />
				<attribute name="inlay_after" version="0" layers="6" />

# XML to JSON to XML to text to XML keeps every byte.
$ inlay convert a.xml b.json && inlay convert b.json c.xml && cmp a.xml c.xml
$ inlay convert c.xml d.inlay && inlay convert d.inlay e.xml && cmp a.xml e.xml
$ inlay print e.xml | grep "overwrites\|order"
  %r = SliceScatter-15(%d, %u, %b, %e, %s) : f32[8,4] overwrites %d {O3 %z}
  order %z before %r

# Version 10 has no place for them.
$ inlay convert a.xml f.xml --ir-version 10
inlay: warning: storage notes are not written: IR version 10 cannot hold them, 11 can (--ir-version 11)
$ grep -c "inlay_[sa]" f.xml
0
[1]

# The order edge is what makes the note legal: without it %z would read what was overwritten.
$ grep -v inlay_after a.xml > g.xml && inlay print g.xml --weights a.bin | grep "overwrites"
g.xml:*: warning: layer 7 "r" (SliceScatter-15): the storage note "r" overwrites "d" is dropped: it is not so that "z" (Exp-1) reads the old data before (O3 no-later-read) (glob)
[1]
$ grep -v "order" d.inlay > h.inlay && inlay print h.inlay | grep "overwrites"
h.inlay:*: warning: node "r" (SliceScatter-15): the storage note "r" overwrites "d" is dropped: it is not so that "z" (Exp-1) reads the old data before (O3 no-later-read) (glob)
[1]
$ sed "s/\"before\": *\"z\"/\"before\": \"data\"/" b.json > i.json && inlay print i.json | grep "overwrites"
i.json:*: warning: nodes[*] "r" (SliceScatter-15): the storage note "r" overwrites "d" is dropped: it is not so that "z" (Exp-1) reads the old data before (O3 no-later-read) (glob)
[1]

# What a note says that it relies on is all of that, and nothing else; or it says nothing.
$ sed "s/ {O3 %z}/ {}/" d.inlay > n.inlay && inlay print n.inlay | grep "overwrites"
n.inlay:*: warning: node "r" (SliceScatter-15): the storage note "r" overwrites "d" is dropped: it does not say that "z" (Exp-1) reads the old data before (O3 no-later-read) (glob)
[1]
$ sed "s/ {O3 %z}/ {O3 %z, O3 %u}/" d.inlay > o.inlay && inlay print o.inlay | grep "overwrites"
o.inlay:*: warning: node "r" (SliceScatter-15): the storage note "r" overwrites "d" is dropped: it is not so that "u" (Parameter-1) reads the old data before (O3 no-later-read) (glob)
[1]
$ sed "s/ {O3 %z}//" d.inlay > p.inlay && inlay print p.inlay | grep "overwrites"
  %r = SliceScatter-15(%d, %u, %b, %e, %s) : f32[8,4] overwrites %d
$ grep -v "order" p.inlay > q.inlay && inlay print q.inlay | grep "overwrites"
q.inlay:*: warning: node "r" (SliceScatter-15): the storage note "r" overwrites "d" is dropped: "z" (Exp-1) reads "d" after this is written over it (O3 no-later-read) (glob)
[1]

# Claims that say nothing are left out as well.
$ sed "s/kind=\"overwrites\"/kind=\"underwrites\"/" a.xml > j.xml && inlay print j.xml --weights a.bin | grep "overwrites"
j.xml:*: warning: layer 7 "r" (SliceScatter-15): the storage note of output 0 is dropped: "underwrites" of output 0 of layer 2 says nothing here (glob)
[1]
$ sed "s/overwrites\" layer=\"2\"/overwrites\" layer=\"99\"/" a.xml > k.xml && inlay print k.xml --weights a.bin | grep "overwrites"
k.xml:*: warning: layer 7 "r" (SliceScatter-15): the storage note of output 0 is dropped: "overwrites" of output 0 of layer 99 says nothing here (glob)
[1]
$ sed "s/layers=\"6\"/layers=\"99,7\"/" a.xml > l.xml && inlay print l.xml --weights a.bin | grep "overwrites"
l.xml:*: warning: layer 7 "r" (SliceScatter-15): an order edge is dropped: there is no layer 99 before it (glob)
l.xml:*: warning: layer 7 "r" (SliceScatter-15): an order edge is dropped: there is no layer 7 before it (glob)
l.xml:*: warning: layer 7 "r" (SliceScatter-15): the storage note "r" overwrites "d" is dropped: it is not so that "z" (Exp-1) reads the old data before (O3 no-later-read) (glob)
[1]

# Order edges that go round in a circle leave no order at all.
$ sed "s/\"before\": *\"z\", \"after\": *\"r\"/\"before\": \"r\", \"after\": \"d\"/" b.json > m.json && inlay print m.json | grep "overwrites"
m.json: warning: the order edges contradict the graph: all storage notes are dropped
[1]
