"""Running models: what goes in, what comes out, errors, sessions, threads, Ctrl-C."""

import gc
import importlib.util
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings

import numpy as np

import inlay

ADD = """graph "add" {
  %x = Parameter {element_type = f32, shape = [2,3]}
  %y = Parameter {element_type = f32, shape = [2,3]}
  %z = Add(%x, %y)
  %out = Result(%z)
}"""

WINDOW = """graph "window" {
  %data = Parameter {element_type = f32, shape = [6,4]}
  %start = Const {value = i64[1] [2]}
  %stop = Const {value = i64[1] [5]}
  %step = Const {value = i64[1] [1]}
  %rows = Slice(%data, %start, %stop, %step)
  %twice = Add(%rows, %rows)
  %new = SliceScatter(%data, %twice, %start, %stop, %step)
  %out = Result(%new)
}"""

ENDLESS = """graph "endless" {
  %x = Parameter {element_type = f32, shape = [4]}
  %n = Const {value = i64[] 2000000000}
  %go = Const {value = boolean[] true}
  %loop = Loop-5(%n, %go, %x)
    body "step" {
      %before = Parameter {element_type = f32, shape = [4]}
      %after = Cos(%before)
      %more = Const {value = boolean[] true}
      %out = Result(%after)
      %again = Result(%more)
    }
    in 2 -> %before
    out %out -> 0
    out %again -> none condition
    back %out -> %before
  %last = Result(%loop)
}"""


def model(text, **options):
    return inlay.load(inlay.parse(text), **options)


def identity(type_):
    g = inlay.Graph("same")
    x = g.parameter("x", type_, [None, "n"])
    g.result(g.add("Reshape", x, [0, 0], special_zero=True), "y")
    return inlay.load(g)


class Inputs(unittest.TestCase):
    def setUp(self):
        self.m = model(ADD)
        self.x = np.arange(6, dtype="f4").reshape(2, 3)

    def test_by_position_and_by_name(self):
        y = self.x * 10
        for z in (self.m(self.x, y), self.m(self.x, y=y), self.m(y=y, x=self.x),
                  self.m.run({"x": self.x, "y": y})["z"]):
            np.testing.assert_array_equal(z, self.x * 11)
        self.assertEqual(z.dtype, np.float32)

    def test_any_strides(self):
        big = np.arange(48, dtype="f4").reshape(4, 12)
        for part in (big[::2, ::4], big[::-2, 2::4], big[:3, :2].T, big[1:3, 5:2:-1],
                     np.broadcast_to(big[0, :3], (2, 3)), np.asfortranarray(self.x),
                     np.broadcast_to(np.float32(3), (2, 3))):
            np.testing.assert_array_equal(self.m(part, self.x), part + self.x)

    def test_strides_that_are_no_whole_elements(self):
        packed = np.zeros(6, dtype=[("a", "u1"), ("b", "f4")])
        packed["b"] = np.arange(6)
        part = packed["b"].reshape(2, 3)
        np.testing.assert_array_equal(self.m(part.copy(), part), part + part)
        bits = np.zeros(3, dtype=[("a", "u1"), ("b", "u2")])["b"]
        np.testing.assert_array_equal(identity("u16")(bits.reshape(1, 3)), [[0, 0, 0]])
        np.testing.assert_array_equal(identity("bf16")(bits.reshape(1, 3)).view("u2"), [[0, 0, 0]])

    def test_read_only_and_other_byte_order(self):
        fixed = self.x.copy()
        fixed.flags.writeable = False
        np.testing.assert_array_equal(self.m(fixed, fixed), self.x * 2)
        np.testing.assert_array_equal(self.m(self.x.astype(">f4"), self.x), self.x * 2)

    def test_lists_take_the_type_of_the_input(self):
        z = self.m([[1, 2, 3], [4, 5, 6]], [[1.5] * 3] * 2)
        np.testing.assert_array_equal(z, np.array([[1, 2, 3], [4, 5, 6]], "f4") + 1.5)

    def test_other_objects_with_memory(self):
        import array

        flat = memoryview(array.array("f", range(6))).cast("B").cast("f", [2, 3])
        np.testing.assert_array_equal(self.m(flat, self.x), self.x * 2)

        class Wrapped:
            def __array__(wrapped, *_):
                return self.x

        class Lent:
            def __dlpack__(lent, **_):
                return self.x.__dlpack__()

            def __dlpack_device__(lent):
                return (1, 0)

        np.testing.assert_array_equal(self.m(Wrapped(), Lent()), self.x * 2)

    def test_what_is_wrong_says_so(self):
        for call, kind, words in (
                (lambda: self.m(self.x), TypeError, 'input "y" is not given'),
                (lambda: self.m(self.x, self.x, self.x), TypeError, "2 inputs, 3 were given"),
                (lambda: self.m(self.x, x=self.x), TypeError, "given twice"),
                (lambda: self.m(self.x, yy=self.x), TypeError, 'did you mean "y"'),
                (lambda: self.m(self.x, self.x.astype("f8")), inlay.Error, "f64"),
                (lambda: self.m(self.x, self.x[:1, :2]), inlay.Error, "y"),
                (lambda: self.m(self.x, object()), Exception, ""),
                (lambda: self.m.run({"x": self.x, "y": self.x}, out={"q": self.x}), TypeError,
                 'no output "q"')):
            with self.assertRaises(kind) as caught:
                call()
            self.assertIn(words, str(caught.exception))
        np.testing.assert_array_equal(self.m(self.x, self.x), self.x * 2)


class Memory(unittest.TestCase):
    def test_results_are_read_only_views(self):
        z = model(ADD)(np.ones((2, 3), "f4"), np.ones((2, 3), "f4"))
        self.assertFalse(z.flags.writeable)
        self.assertIsInstance(z.base, inlay.Tensor)
        gc.collect()
        np.testing.assert_array_equal(z, 2)

    def test_results_outlive_all_else(self):
        x = np.arange(6, dtype="f4").reshape(2, 3)
        z = identity("f32")(x)
        copy = x.copy()
        del x
        gc.collect()
        np.testing.assert_array_equal(z, copy)

    def test_every_type_of_numpy(self):
        for name in "f64 f32 f16 i64 i32 i16 i8 u64 u32 u16 u8 c64 c128 boolean".split():
            dtype = inlay._hooks.DTYPES[name]
            x = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype)
            with self.subTest(name):
                t = inlay.tensor(x)
                self.assertEqual((t.type, t.shape, t.readonly), (name, (2, 3), True))
                self.assertTrue(np.shares_memory(np.asarray(t), x))
                np.testing.assert_array_equal(np.asarray(t), x)
                if name not in ("c64", "c128"):
                    np.testing.assert_array_equal(identity(name)(x), x)

    def test_types_that_numpy_has_not(self):
        bits = np.array([[0x3f80, 0x4000, 0xc040]], "u2")  # 1, 2, -3
        y = identity("bf16")(bits)
        self.assertEqual(y.itemsize, 2)
        np.testing.assert_array_equal(y.view("u2"), bits)
        m = inlay.load(self.converts("bf16", "f32"))
        np.testing.assert_array_equal(m(bits), [[1, 2, -3]])
        np.testing.assert_array_equal(m([[1, 2.5]]), [[1, 2.5]])
        f8 = np.array([[0x38, 0xc0, 0x7e]], "u1")  # 1, -2, 448
        np.testing.assert_array_equal(inlay.load(self.converts("f8e4m3", "f32"))(f8),
                                      [[1, -2, 448]])

    def test_ml_dtypes(self):
        here = os.path.dirname(os.path.abspath(__file__))
        known = importlib.util.find_spec("ml_dtypes") is not None
        path = sys.path if known else [os.path.join(here, "stand_in"), *sys.path]
        done = subprocess.run([sys.executable, os.path.join(here, "with_ml_dtypes.py")], text=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
                              capture_output=True, check=False)
        self.assertEqual((done.stdout, done.stderr), ("ok\n", ""))

    def test_elements_of_less_than_a_byte(self):
        m = inlay.load(self.converts("i4", "i32"))
        np.testing.assert_array_equal(m(np.array([[-8, 7, 0, 3, -1]])), [[-8, 7, 0, 3, -1]])
        back = inlay.load(self.converts("i32", "u4"))(np.array([[1, 15, 2]], "i4"))
        np.testing.assert_array_equal(back, [[1, 15, 2]])

    @staticmethod
    def converts(a, b):
        g = inlay.Graph()
        g.result(g.add("Convert", g.parameter("x", a, [1, None]), destination_type=b), "y")
        return g

    def test_sequences_are_lists(self):
        m = model("""graph "sequences" {
  %s = Parameter {element_type = item, shape = [?], item_type = f32}
  %x = Parameter {element_type = f32, shape = [2]}
  %more = SequenceInsert@onnx11(%s, %x)
  %none = Optional@onnx15 {element_type = f32}
  %some = Optional@onnx15(%x) {element_type = f32}
  %a = Result(%more)
  %b = Result(%none)
  %c = Result(%some)
}""")
        first, x = np.zeros((2, 3), "f4"), np.array([1, 2], "f4")
        sequence, nothing, something = m(s=[first, None], x=x).values()  # copies of the items
        first[:] = 7
        self.assertEqual([np.shape(i) for i in sequence], [(2, 3), (), (2,)])
        self.assertEqual((sequence[0].sum(), sequence[1], nothing), (0, None, None))
        np.testing.assert_array_equal(sequence[2], x)
        np.testing.assert_array_equal(something, x)
        self.assertEqual(len(next(iter(m(s=[], x=x).values()))), 1)

    def test_maps_go_in_as_dicts(self):
        m = model("""graph "same" {
  %x = Parameter {element_type = item, shape = [?]}
  %y = Result(%x)
}""")
        for given in ({"a": 1.5, "b": 2.0}, {7: 1.5, -1: 2.0}):
            (keys, values), = m([given])
            self.assertEqual(list(keys), list(given))
            self.assertEqual((values.dtype, list(values)), ("f4", [1.5, 2]))
        keys, values = m({})
        self.assertEqual((len(keys), len(values)), (0, 0))

    def test_dlpack_both_ways(self):
        x = np.arange(6, dtype="f4").reshape(2, 3)
        t = inlay.from_dlpack(x)
        self.assertEqual(t.__dlpack_device__(), (1, 0))
        back = np.from_dlpack(t)
        self.assertTrue(np.shares_memory(back, x))
        del t
        gc.collect()
        np.testing.assert_array_equal(back, x)
        z = model(ADD).run({"x": x, "y": x}, tensors=True)["z"]
        np.testing.assert_array_equal(np.from_dlpack(z), x * 2)
        del x
        for _ in range(3):
            inlay.tensor(np.ones(3)).__dlpack__()  # a capsule that nobody takes

    def test_out_is_where_it_is_computed(self):
        m, x = model(ADD), np.ones((2, 3), "f4")
        for out in (np.zeros((2, 3), "f4"), np.zeros((4, 6), "f4")[::2, ::2],
                    inlay.empty((2, 3))):
            z = m.run({"x": x, "y": x}, out={"z": out})["z"]
            self.assertIs(z, out)
            np.testing.assert_array_equal(np.asarray(out), 2)
        again = m(x, x)
        self.assertFalse(np.shares_memory(again, np.asarray(out)))
        for wrong in (again, np.zeros((2, 2), "f4"), np.zeros((2, 3), "f8"), [[0] * 3] * 2):
            with self.assertRaises((inlay.Error, ValueError, TypeError)):
                m.run({"x": x, "y": x}, out={"z": wrong})

    def test_threads_share_a_model(self):
        m, wrong = model(ADD), []

        def work(k):
            x = np.full((2, 3), k, "f4")
            for _ in range(50):
                if not (m(x, x) == 2 * k).all():
                    wrong.append(k)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])


class Donated(unittest.TestCase):
    def setUp(self):
        self.m = model(WINDOW)
        self.s = self.m.session()

    def run_once(self, x):
        y = self.s.run({"data": x}, donate=["data"])["new"]
        return y, self.s.stats["copied_bytes"]

    def test_it_is_written_over_and_says_so(self):
        x = np.ones((6, 4), "f4")
        want = np.ones((6, 4))
        want[2:5] *= 2
        y, copied = self.run_once(x)
        self.assertEqual(copied, 0)
        np.testing.assert_array_equal(y, want)
        self.assertTrue(np.shares_memory(x, y))
        with self.assertRaisesRegex(ValueError, "donated as 'data'"):
            self.m(x)
        with self.assertRaises(ValueError):
            x[0] = 3
        with self.assertRaisesRegex(ValueError, "donated"):
            inlay.tensor(x)

    def test_a_result_can_be_donated_again(self):
        want = np.ones((6, 4))
        x = np.ones((6, 4), "f4")
        for _ in range(4):
            x, copied = self.run_once(x)
            want[2:5] *= 2
            self.assertEqual(copied, 0)
            np.testing.assert_array_equal(x, want)

    def test_what_another_still_has_is_not_written_over(self):
        x = self.m(np.ones((6, 4), "f4"))
        y, _ = self.run_once(x)
        with self.assertRaisesRegex(ValueError, "donated"):
            self.m(x)
        t = inlay.empty((6, 4))
        np.asarray(memoryview(t))[:] = 1
        z, copied = self.run_once(t)
        self.assertEqual(copied, 0)
        np.testing.assert_array_equal(z[2:5], 2)
        with self.assertRaisesRegex(ValueError, "donated"):
            self.m(t)
        with self.assertRaises(BufferError):
            memoryview(t)
        self.assertIn("donated", repr(t))

    def test_a_constant_is_never_written_over(self):
        g = inlay.Graph()
        g.result(g.constant(np.ones((6, 4), "f4")), "c")
        constant = inlay.load(g)
        self.run_once(constant())
        np.testing.assert_array_equal(constant(), 1)

    def test_what_cannot_be_donated(self):
        fixed = np.ones((6, 4), "f4")
        fixed.flags.writeable = False
        part = self.m(np.ones((6, 4), "f4"))[::-1]
        for wrong in (fixed, part, [[1.0] * 4] * 6):
            with self.assertRaises((ValueError, TypeError)):
                self.run_once(wrong)
        with self.assertRaises(TypeError):
            self.s.run({"data": np.ones((6, 4), "f4")}, donate="data")

    def test_a_freed_array_is_forgotten(self):
        self.run_once(np.ones((6, 4), "f4"))
        gc.collect()
        self.assertEqual(inlay._hooks._given, {})


class Sessions(unittest.TestCase):
    STATE = """graph "count" {
  %x = Parameter {element_type = f32, shape = [2]}
  %old = Parameter {element_type = f32, shape = [2]}
  %sum = Add(%old, %x)
  %out = Result(%sum)
}"""

    def test_a_carried_state(self):
        m = model(self.STATE, carry={"sum": "old"})
        self.assertEqual([p.name for p in m.inputs], ["x", "old"])
        s = m.session()
        one, zero = np.ones(2, "f4"), np.zeros(2, "f4")
        for _ in range(3):
            s(one, zero)
        np.testing.assert_array_equal(s.variables["old"], 3)
        s.variables["old"] = [5, 6]
        s(one, zero)
        np.testing.assert_array_equal(s.variables["old"], [6, 7])
        s.reset()
        self.assertIsNone(s.variables["old"])
        self.assertEqual(dict(s.variables), {"old": None})
        with self.assertRaises(KeyError):
            s.variables["new"]

    def test_calls_of_the_model_have_no_past(self):
        m = inlay.load("models/tiny-gpt/tiny-gpt.xml")
        prompt = np.load("models/tiny-gpt/prompt.npy")
        first = m(prompt)["next"].copy()
        np.testing.assert_array_equal(m(prompt)["next"], first)

    def test_kept_values_and_stats(self):
        m = model(ADD, keep=["z"])
        s = m.session()
        s(np.ones((2, 3), "f4"), np.ones((2, 3), "f4"))
        np.testing.assert_array_equal(s.kept["z"], 2)
        self.assertEqual(s.stats["nodes"], 4)

    def test_one_thread_at_a_time(self):
        s = model(ADD).session()
        self.assertIs(s.model.graph.frozen, True)
        with self.assertRaises(TypeError):
            inlay.Session()


class Errors(unittest.TestCase):
    def test_file_line_and_node(self):
        with self.assertRaises(inlay.Error) as caught:
            inlay.parse('graph "g" {\n  %x = Parameter {element_type = f32, shape = [3]}\n'
                        "  %y = Concat(%x, %x) {axis = 7}\n  %r = Result(%y)\n}", "bad.inlay")
        e = caught.exception
        self.assertEqual((e.file, e.line, e.node, e.op), ("bad.inlay", 3, "y", "Concat-1"))
        self.assertIsInstance(e, ValueError)
        with self.assertRaises(inlay.Error) as caught:
            inlay.load("nowhere.onnx")
        self.assertEqual(caught.exception.file, "nowhere.onnx")

    def test_a_run_names_the_node(self):
        m = model("""graph "g" {
  %x = Parameter {element_type = f32, shape = [3]}
  %i = Parameter {element_type = i64, shape = [3]}
  %k = Convert(%x) {destination_type = i64}
  %y = Divide(%k, %i)
  %r = Result(%y)
}""")
        with self.assertRaises(inlay.InvalidError) as caught:
            m(np.zeros(3, "f4"), np.array([9, 0, 9]))
        self.assertEqual(caught.exception.node, "y")
        np.testing.assert_array_equal(m(np.arange(3, dtype="f4"), np.array([1, 1, 2])), [0, 1, 1])

    def test_limits(self):
        with self.assertRaises(inlay.ResourceError):
            model(ADD, max_memory=10)(np.ones((2, 3), "f4"), np.ones((2, 3), "f4"))
        for wrong in ({"executor": "fast"}, {"kernels": "none"}, {"passes": "nonsense"}):
            with self.assertRaises(ValueError):
                model(ADD, **wrong)

    def test_sizes_by_name(self):
        g = inlay.Graph("g")
        x = g.parameter("x", "f32", ["batch", 3])
        g.result(g.add("Relu", x), "y")
        m = inlay.load(g)
        self.assertEqual(m.inputs[0], ("x", "f32", ("batch", 3)))
        self.assertEqual(m.outputs[0], ("y", "f32", ("batch", 3)))
        self.assertEqual(inlay.load(g, dims={"batch": 4}).outputs[0].shape, (4, 3))
        self.assertEqual(inlay.load(g, shapes={"x": [2, 3]}).outputs[0].shape, (2, 3))
        self.assertIn("x: f32[batch,3]", repr(m))


class Interrupted(unittest.TestCase):
    def setUp(self):
        # What a shell starts in the background ignores the signal.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        time.sleep(0.06)  # ours is put before it again

    def test_ctrl_c_ends_a_run(self):
        m = model(ENDLESS)
        x = np.zeros(4, "f4")
        for _ in range(2):  # the handler is found in place again, too
            timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            begun = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                m(x)
            self.assertLess(time.monotonic() - begun, 5)

    def test_ctrl_c_ends_a_comparison(self):
        g = inlay.parse(WINDOW)
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            for _ in range(10000):
                inlay.verify(g, g)

    def test_a_handler_of_the_program_is_called(self):
        seen = []
        before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
        try:
            time.sleep(0.06)  # ours is put before it again
            timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaisesRegex(inlay.ResourceError, "cancelled"):
                model(ENDLESS)(np.zeros(4, "f4"))
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertEqual(seen, [1])

    def test_another_thread_cancels_and_runs_meanwhile(self):
        s = model(ENDLESS).session()
        failures = []

        def work():
            try:
                s(np.zeros(4, "f4"))
            except inlay.ResourceError as e:
                failures.append(str(e))

        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.05)  # the GIL is released, or this would not return
        with self.assertRaisesRegex(RuntimeError, "another thread"):
            s.reset()
        while thread.is_alive():
            s.cancel()
            thread.join(0.02)
        self.assertIn("cancelled", failures[0])


class Warned(unittest.TestCase):
    def test_warnings_are_warnings_of_python(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            inlay.read("models/onnx/transformer/model.onnx")
        self.assertEqual([w for w in caught if not issubclass(w.category, inlay.Warning)], [])


if __name__ == "__main__":
    unittest.main()
