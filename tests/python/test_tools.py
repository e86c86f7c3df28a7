"""Graphs, passes, rules and comparisons."""

import gc
import os
import shutil
import tempfile
import unittest

import numpy as np

import inlay


def relu():
    g = inlay.Graph("g")
    x = g.parameter("x", "f32", ["batch", 3])
    g.result(g.add("Relu", g.add("Negative", x, name="minus"), name="relu"), "y")
    return g


class Graphs(unittest.TestCase):
    def test_build_and_look(self):
        g = relu()
        self.assertEqual(len(g), 4)
        self.assertEqual([n.type for n in g], ["Parameter", "Negative", "ReLU", "Result"])
        minus = g["minus"]
        self.assertEqual((minus.op, minus.version, minus.name), ("Negative-1", 1, "minus"))
        self.assertEqual(minus.inputs[0], g["x"].outputs[0])
        self.assertEqual(minus.outputs[0].uses, [(g["relu"], 0)])
        self.assertEqual(hash(minus), hash(g["minus"]))
        self.assertEqual(g["x"].attrs["shape"], ("batch", 3))
        self.assertEqual(g.outputs, [("y", "f32", ("batch", 3))])
        self.assertEqual(repr(minus).split("{")[0].strip().split(" ")[0], "%minus")
        with self.assertRaises(KeyError):
            g["none"]

    def test_every_kind_of_attribute(self):
        g = inlay.Graph()
        x = g.parameter("x", "f32", [1, 2, 8, 8])
        pool = g.add("MaxPool@opset8", x, strides=[2, 2], dilations=[1, 1], pads_begin=[0, 0],
                     pads_end=[0, 0], kernel=[2, 2], rounding_type="ceil", auto_pad="valid")
        self.assertEqual(pool.attrs["strides"], [2, 2])
        self.assertEqual(pool.attrs["rounding_type"], "ceil")
        self.assertEqual([v.type for v in pool.outputs], ["f32", "i64"])
        pool.set("rounding_type", "floor")
        self.assertEqual(pool.attrs["rounding_type"], "floor")
        wide = g.add("Convert", pool.outputs[0], destination_type="f64")
        self.assertEqual(wide.attrs, {"destination_type": "f64"})
        soft = g.add("Softmax", wide, axis=1)
        self.assertEqual(soft.attrs["axis"], 1)
        clamp = g.add("Clamp", soft, min=0, max=0.5)
        self.assertEqual(clamp.attrs, {"min": 0.0, "max": 0.5})
        c = g.constant(np.arange(3, dtype="i4"))
        np.testing.assert_array_equal(c.node.attrs["value"].numpy(), [0, 1, 2])
        for wrong in (lambda: pool.set("strides", "two"), lambda: pool.set("nothing", 3),
                      lambda: wide.set("destination_type", "f33"),
                      lambda: g.add("Softmax", wide, axis="one"), lambda: g.add("Nonsense", x),
                      lambda: g.add("Add", x, x, auto_broadcast="sideways"),
                      lambda: g.parameter("z", "f32", [-1]),
                      lambda: g.parameter("z", "f32", [1] * 40)):
            with self.assertRaises((ValueError, TypeError, OverflowError)):
                wrong()
        self.assertEqual(g["MaxPool"].attrs["strides"], [2, 2])

    def test_change(self):
        g = relu()
        copy = g.copy()
        minus = g["minus"]
        minus.replace(minus.inputs[0])
        self.assertEqual([n.type for n in g], ["Parameter", "ReLU", "Result"])
        self.assertIn("removed", repr(minus))
        for stale in (lambda: minus.inputs, lambda: minus.remove(), lambda: minus.set("a", 1)):
            with self.assertRaisesRegex(ValueError, "not in its graph any more"):
                stale()
        with self.assertRaises(inlay.Error):
            g["relu"].remove()
        g["relu"].rename("r")
        g["r"].set_input(0, g.add("Abs", g["x"]).outputs[0])
        np.testing.assert_array_equal(inlay.load(g)([[-1, 0, 2]]), [[1, 0, 2]])
        np.testing.assert_array_equal(inlay.load(copy)([[-1, 0, 2]]), [[1, 0, 0]])
        self.assertFalse(g == copy)
        self.assertTrue(copy == relu())
        other = relu()
        with self.assertRaises(inlay.Error):
            g["r"].set_input(0, other["x"].outputs[0])

    def test_handles_keep_the_graph(self):
        value = relu()["minus"].outputs[0]
        gc.collect()
        self.assertEqual(value.node.graph["relu"].inputs, [value])

    def test_a_graph_that_runs_is_frozen(self):
        m = inlay.load(relu())
        for change in (lambda: m.graph["x"].rename("z"), lambda: m.graph.parameter("z", "f32"),
                       lambda: m.graph.set_dim("batch", 2)):
            with self.assertRaisesRegex(ValueError, "belongs to a model"):
                change()
        m.graph.copy()["x"].rename("z")

    def test_formats(self):
        g = relu()
        with tempfile.TemporaryDirectory() as scratch:
            for ending in ("xml", "json", "inlay"):
                path = os.path.join(scratch, "g." + ending)
                g.save(path)
                back = inlay.read(path)
                self.assertEqual(back.outputs[0][:2], ("y", "f32"))
                with open(path, "rb") as f:
                    self.assertEqual(len(inlay.parse(f.read())), 4)
            with self.assertRaises(inlay.Error):
                g.save(os.path.join(scratch, "g.unknown"))
        with open("models/tiny-gpt/tiny-gpt.onnx", "rb") as f:
            self.assertEqual(inlay.parse(f.read()).inputs[0].name, "tokens")

    def test_repr_is_the_text_shortened(self):
        g = inlay.Graph("long")
        x = g.parameter("x", "f32", [2])
        for _ in range(100):
            x = g.add("Negative", x).outputs[0]
        g.result(x)
        self.assertLess(len(repr(g).split("\n")), 70)
        self.assertIn("lines more", repr(g))
        self.assertEqual(repr(relu()), relu().text().rstrip("\n"))
        self.assertTrue(g.text("dot").startswith("digraph"))

    def test_page(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "g.html")
            page = relu().page(path, title="two nodes")
            with open(path, encoding="utf-8") as f:
                self.assertEqual(f.read(), page)
        self.assertIn("<title>two nodes", page)
        self.assertIn("minus", page)
        self.assertTrue(relu()._repr_html_().startswith("<iframe srcdoc="))

    def test_bodies(self):
        g = inlay.read("tests/ops/Loop/power_of_two.inlay")
        loop = next(n for n in g if n.bodies)
        body = loop.bodies["body"]
        self.assertEqual([p.type for p in body.parameters], ["Parameter"])
        del g, loop
        gc.collect()
        self.assertEqual(len(body.nodes), 5)
        self.assertEqual(len(inlay.read("tests/ops/Loop/power_of_two.inlay").graphs()), 2)


class Optimized(unittest.TestCase):
    SECOND = "models/window/second_reader.inlay"

    def test_decisions(self):
        made = inlay.optimize(self.SECOND, explain=True)
        self.assertEqual(repr(made), "<inlay.Decisions 1 places, 2 refusals, 0 copies, 0 applications>")
        self.assertNotIn("\n", repr(made[0]))
        d = made[0]
        self.assertEqual(len(made), 1)
        self.assertFalse(d.overwrite)
        self.assertEqual(d.overwrite.refused.condition, "O3 no-later-read")
        self.assertEqual(d.overwrite.refused.node.name, "change")
        self.assertEqual(d.overwrite.refused.bytes, 128)
        self.assertTrue(d.view)
        self.assertIsNone(d.view.refused)
        self.assertEqual(d.scatter, made.graph["out"])
        self.assertEqual(d.slice.type, "Slice")
        self.assertIn("in-place-windows", [p.name for p in made.passes])

    def test_passes_by_name(self):
        g = inlay.read("examples/folded.inlay")
        self.assertEqual(len(inlay.optimize(g)), 4)
        self.assertTrue(inlay.optimize(g, passes="none") == g)
        self.assertEqual(len(inlay.optimize(g, passes=["fold-constants", "eliminate-dead"])),
                         len(inlay.optimize(g, disable=["in-place-windows"])))
        self.assertIn("fold-constants", inlay.passes())
        with self.assertRaisesRegex(inlay.Error, "fold-constants"):
            inlay.optimize(g, passes="fold-constant")

    def test_an_event_vetoes(self):
        seen = []

        def veto(kind, name, what):
            seen.append(kind)
            return kind != "apply"

        g = inlay.read("examples/folded.inlay")
        self.assertGreater(len(inlay.optimize(g, event=veto)), 4)
        self.assertIn("ends", seen)

    def test_a_pass_in_python(self):
        def no_minus(g):
            """Drops Negative."""
            for n in g:
                if n.type == "Negative":
                    n.replace(n.inputs[0])
                    return 1

        log = inlay.optimize(relu(), passes=[no_minus], explain=True)
        self.assertEqual([(p.name, p.changes) for p in log.passes], [("no-minus", 1)])
        self.assertEqual(len(log.graph), 3)
        with self.assertRaises(inlay.Error):
            inlay.optimize(relu(), passes="no-minus")  # for one call only

    def test_a_pass_that_raises(self):
        def broken(g):
            raise KeyError("oh")

        with self.assertRaises(inlay.Error) as caught:
            inlay.optimize(relu(), passes=[broken])
        self.assertIsInstance(caught.exception.__cause__, KeyError)
        self.assertIn("broken raised KeyError", str(caught.exception))

    def test_rules_for_one_call(self):
        r = inlay.rule("rule no-minus exact: Negative(x) => x")
        self.assertEqual((len(r), r.names), (1, ["no-minus"]))
        self.assertEqual(len(inlay.optimize(relu(), rules=r)), 3)
        self.assertEqual(len(inlay.optimize(relu(), rules=["examples/wrong.rules"])), 4)
        self.assertEqual(r.check(graphs=5)[0].verdict, "refuted")
        with self.assertRaises(inlay.Error) as caught:
            inlay.rule("rule a exact: Negative(x) => Nonsense(x)", "mine.rules")
        self.assertEqual((caught.exception.file, caught.exception.line), ("mine.rules", 1))

    def test_proofs(self):
        if not shutil.which("z3"):
            self.skipTest("z3 is missing")
        with open("examples/write-twice.rules", encoding="utf-8") as f:
            p = inlay.rule(f.read()).prove()[0]
        self.assertTrue(p)
        self.assertEqual((p.verdict, p.rule), ("proven", "write-twice"))


class Compared(unittest.TestCase):
    def test_verify(self):
        a, b = relu(), relu()
        v = inlay.verify(a, b, trials=8)
        self.assertTrue(v)
        self.assertEqual((v.verdict, v.inputs), ("same", None))
        b["minus"].replace(b["x"])
        v = inlay.verify(a, b, trials=8)
        self.assertFalse(v)
        x = v.inputs["x"]
        np.testing.assert_array_equal(v.a["y"], np.maximum(-x, 0))
        np.testing.assert_array_equal(v.b["y"], np.maximum(x, 0))
        self.assertIn('"y"', v.why)
        self.assertTrue(inlay.verify(a, b, inputs={"x": np.zeros((1, 3), "f4")}, trials=2,
                                     atol=1e-6))

    def test_first_difference(self):
        a = inlay.parse("""graph "a" {
  %x = Parameter {element_type = f32, shape = [3]}
  %two = Const {value = f32[] 2}
  %y = Multiply(%x, %two)
  %z = Abs(%y)
  %r = Result(%z)
}""")
        b = a.copy()
        b["two"].set("value", np.float32(3))
        found = inlay.first_difference(a, b, {"x": np.ones(3, "f4")})
        self.assertEqual(found.a.node.name, "y")
        self.assertEqual(found.b.node.name, "y")
        self.assertIsNone(inlay.first_difference(a, a.copy(), {"x": np.ones(3, "f4")}).a)
        self.assertEqual([(p.a.name, p.changes) for p in inlay.diff(a, b)],
                         [("two", ("changed",))])
        self.assertEqual(len(inlay.diff(a, b, all=True)), 5)

    def test_bisect(self):
        wrong = inlay.rule("rule wrong exact: Abs(x) => x")
        g = inlay.parse("""graph "a" {
  %x = Parameter {element_type = f32, shape = [3]}
  %c = Convert(%x) {destination_type = f64}
  %a = Abs(%c)
  %b = Exp(%a)
  %r = Result(%b)
}""")
        found = inlay.bisect(g, rules=wrong, trials=8)
        self.assertEqual((found.pass_, found.application.rule), ("rules", "wrong"))
        self.assertEqual(found.application.at, "a")
        self.assertTrue(any(n.type == "Abs" for n in found.before))
        self.assertFalse(any(n.type == "Abs" for n in found.after))
        self.assertEqual(found.verdict.verdict, "different")
        self.assertIsNone(inlay.bisect(g, trials=4))

        def loses(g, run):
            for n in g:
                if n.type == "Abs" and run.begin(n):
                    n.replace(n.inputs[0])
                    run.end()

        found = inlay.bisect(g, passes=["fold-constants", loses], trials=8)
        self.assertEqual((found.pass_, found.application.at), ("loses", "a"))

    def test_reduce(self):
        g = relu()
        for _ in range(5):
            g.result(g.add("Exp", g["x"]))
        r = inlay.reduce(g, lambda h: any(n.type == "Negative" for n in h))
        self.assertTrue(any(n.type == "Negative" for n in r.graph))
        self.assertLess(len(r.graph), 6)
        self.assertGreater(r.before, len(r.graph))
        asked = []
        with self.assertRaises(ZeroDivisionError):
            inlay.reduce(g, lambda h: asked.append(1) or 1 / 0)
        self.assertEqual(len(asked), 1)

    def test_plan(self):
        p = inlay.plan(inlay.load("models/window/second_reader.inlay"))
        self.assertRegex(repr(p), r"^<inlay.Plan \d+ steps, copies \d+ bytes, peak \d+ bytes at \"\w+\">$")
        self.assertEqual(p.copied_bytes, 128 + 48)
        self.assertEqual({s.name for s in p.copies}, {"out"})
        self.assertEqual(p.steps[0]._fields[:3], ("name", "op", "made"))
        self.assertIn(p.peak_at, [s.name for s in p.steps])
        self.assertEqual(sum(v.bytes for v in p.values if v.value == "out"), 128)

    def test_made_up_inputs(self):
        made = inlay.make_inputs("models/digits/digits.xml", shapes={"image": [2, 1, 28, 28]},
                                 fill="ones")
        np.testing.assert_array_equal(made["image"], np.ones((2, 1, 28, 28), "u1"))
        x = inlay.make_inputs(relu(), inputs={"x": np.zeros((5, 3), "f4")})["x"]
        np.testing.assert_array_equal(x, np.zeros((5, 3)))


class Operations(unittest.TestCase):
    TEXT = """graph "g" {
  %x = Parameter {element_type = f32, shape = [n,3]}
  %y = Rows(%x) {times = 2}
  %r = Result(%y)
}""".replace("n,3", "?,3")

    def ops(self, infer=None, kernel=None):
        def shape(x, times):
            rows = x.shape[0]
            return inlay.Fact(x.type, (rows * times if isinstance(rows, int) else "?", 3))

        return inlay.operations(inlay.operation(
            "Rows", inputs="T:float x", outputs="T", attributes="int times=1",
            infer=infer or shape, kernel=kernel or (lambda x, times: np.tile(x, (times, 1)))))

    def test_shape_rule_and_kernel(self):
        ops = self.ops()
        m = inlay.load(inlay.parse(self.TEXT, operations=ops))
        del ops
        gc.collect()
        self.assertEqual(m.outputs[0].shape, ("?", 3))
        x = np.arange(6, dtype="f4").reshape(2, 3)
        np.testing.assert_array_equal(m(x), np.tile(x, (2, 1)))
        self.assertTrue(inlay.verify(m.graph, m.graph, trials=4))
        with self.assertRaises(inlay.Error):
            inlay.parse(self.TEXT)

    def test_what_they_raise(self):
        def broken(*_, **__):
            raise LookupError("oh")

        with self.assertRaises(inlay.Error) as caught:
            inlay.parse(self.TEXT, "g.inlay", operations=self.ops(infer=broken))
        self.assertIsInstance(caught.exception.__cause__, LookupError)
        self.assertEqual((caught.exception.node, caught.exception.line), ("y", 3))
        x = np.ones((2, 3), "f4")
        for kernel in (broken, lambda x, times: x, lambda x, times: x.astype("f8"),
                       lambda x, times: [x, x], lambda x, times: None):
            m = inlay.load(inlay.parse(self.TEXT, operations=self.ops(kernel=kernel)))
            with self.assertRaises(inlay.Error) as caught:
                m(x)
            self.assertEqual(caught.exception.node, "y")
        for wrong in ("nothing", inlay.Fact("f33", (1,)), [], inlay.Fact("f32", (-1,))):
            with self.assertRaises(inlay.Error):
                inlay.parse(self.TEXT, operations=self.ops(infer=lambda *_, **__: wrong))

    def test_what_the_library_gets_over_is_forgotten(self):
        calls = []

        def moody(x, times):
            calls.append(1)
            if len(calls) % 2:
                raise LookupError("oh")
            return np.tile(x, (times, 1))

        g = inlay.parse(self.TEXT, operations=self.ops(kernel=moody))
        v = inlay.verify(g, g, trials=4)
        self.assertEqual(v.verdict, "different")
        self.assertGreater(len(calls), 1)
        with self.assertRaises(inlay.Error) as caught:
            inlay.parse("graph")
        self.assertIsNone(caught.exception.__cause__)

    def test_a_row_that_is_wrong(self):
        with self.assertRaises(inlay.Error):
            inlay.operations(inlay.operation("Bad", inputs="T:what x", outputs="T",
                                             infer=lambda x: x))


if __name__ == "__main__":
    unittest.main()
