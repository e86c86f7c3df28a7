"""Arrays: .npy, .npz and ONNX's .pb."""
import io
import struct
import zipfile
import zlib

HEADER = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"


def npy(header=HEADER, data=bytes(16), magic=b"\x93NUMPY", version=b"\x01\x00", length=None):
    text = header.encode("latin-1")
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return magic + version + struct.pack("<H", len(text) if length is None else length) + text + data


def with_header(old, new):
    assert old in HEADER
    return npy(HEADER.replace(old, new, 1))


NPY = [
    ("empty", b"", ""),
    ("magic", npy(magic=b"\x93NUMPX"), ""),
    ("magic_alone", b"\x93NUMPY", ""),
    ("version_0", npy(version=b"\x00\x00"), "version"),
    ("version_9", npy(version=b"\x09\x00"), "version"),
    ("length_huge", npy(length=65535), "header"),
    ("length_none", npy(length=0), "header"),
    ("length_of_version_3", npy(version=b"\x03\x00"), "header"),
    ("no_dictionary", npy("[]"), "header"),
    ("dictionary_cut", with_header(", }", ""), "header"),
    ("descr_missing", with_header("'descr': '<f4', ", ""), "descr"),
    ("descr_unknown", with_header("<f4", "<x4"), "<x4"),
    ("descr_object", with_header("'<f4'", "'|O'"), "|O"),
    ("descr_record", with_header("'<f4'", "[('a', '<f4'), ('b', '<f4')]"), "descr"),
    ("descr_width", with_header("<f4", "<f3"), "<f3"),
    ("descr_huge", with_header("<f4", "<f99999999999999999999"), "<f9999"),
    ("order_word", with_header("False", "Maybe"), "fortran_order"),
    ("order_missing", with_header("'fortran_order': False, ", ""), "fortran_order"),
    ("shape_missing", with_header(", 'shape': (2, 2)", ""), "shape"),
    ("shape_word", with_header("(2, 2)", "(2, two)"), ""),
    ("shape_negative", with_header("(2, 2)", "(2, -2)"), "shape"),
    ("shape_huge", with_header("(2, 2)", "(2, 9223372036854775808)"), ""),
    ("shape_product", with_header("(2, 2)", "(4294967296, 4294967296)"), ""),
    ("shape_promise", with_header("(2, 2)", "(1000000, 1000000)"), ""),
    ("shape_rank", with_header("(2, 2)", "(%s)" % ", ".join("1" * 33)), ""),
    ("shape_deep", with_header("(2, 2)", "(" * 30000), ""),
    ("key_twice", with_header("'fortran_order'", "'descr'"), ""),
    ("key_unknown", with_header("'fortran_order'", "'order'"), ""),
    ("data_short", npy(data=bytes(15)), "15"),
    ("data_none", npy(data=b""), ""),
    ("data_long", npy(data=bytes(17)), "17"),
]


def archive(members, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        for name, content in members:
            z.writestr(name, content)
    return out.getvalue()


PLAIN = archive([("x.npy", npy())])
PACKED = archive([("x.npy", npy())], zipfile.ZIP_DEFLATED)
CENTRAL = PLAIN.index(b"PK\x01\x02")
END = PLAIN.index(b"PK\x05\x06")


def patched(at, content, of=PLAIN):
    return of[:at] + content + of[at + len(content):]


def packed(at, content):
    return patched(PACKED.index(b"PK\x01\x02") + at, content, PACKED)


# Numbers are those of the format's own description: where a field stands behind its signature.
NPZ = [
    ("end_missing", PLAIN[:END], "ZIP"),
    ("end_cut", PLAIN[:-1], ""),
    ("cut_off", PLAIN[:60], ""),
    ("comment_longer_than_file", patched(END + 20, b"\xff\xff"), ""),
    ("count_huge", patched(END + 8, b"\xfe\xff\xfe\xff"), ""),
    ("central_behind_end", patched(END + 16, struct.pack("<I", 2**31)), ""),
    ("central_size", patched(END + 12, struct.pack("<I", 2**31)), ""),
    ("central_signature", patched(CENTRAL, b"PK\x01\x03"), ""),
    ("name_length", patched(CENTRAL + 28, b"\xff\xff"), ""),
    ("extra_length", patched(CENTRAL + 30, b"\xff\xff"), ""),
    ("local_behind_end", patched(CENTRAL + 42, struct.pack("<I", 2**31)), "x"),
    ("local_in_itself", patched(CENTRAL + 42, struct.pack("<I", CENTRAL)), "x"),
    ("local_signature", patched(0, b"PK\x03\x05"), "x"),
    ("encrypted", patched(CENTRAL + 8, b"\x01\x00"), "x"),
    ("method_unknown", patched(CENTRAL + 10, b"\x63\x00"), "x.npy"),
    ("sum_wrong", patched(CENTRAL + 16, b"\x00\x00\x00\x00"), "x"),
    ("size_huge", patched(CENTRAL + 20, struct.pack("<II", 2**32 - 2, 2**32 - 2)), "x"),
    ("size_without_zip64", patched(CENTRAL + 20, struct.pack("<II", 2**32 - 1, 2**32 - 1)), ""),
    ("packed_size", packed(20, struct.pack("<I", 5)), "x"),
    ("unpacked_size", packed(24, struct.pack("<I", 10**9)), "x"),
    ("packed_rubbish", patched(PACKED.index(b"x.npy") + 5, b"\xff" * 20, PACKED), "x"),
    ("member_name_long", archive([("n" * 60000 + ".npy", npy())]), "nnn"),
    ("bad_member", archive([("x.npy", b"no array")]), "x"),
    ("bomb", archive([("x.npy", npy(HEADER.replace("(2, 2)", "(4096, 65536)"), bytes(2**30 // 16)))], zipfile.ZIP_DEFLATED), ""),
]


# A promise that some machine could keep is refused by the limit of memory, with status 3.
def cases():
    for name, content, words in NPY:
        yield "npy_" + name, 3 if name == "shape_promise" else 2, words, {"m.npy": content}
    for name, content, words in NPZ:
        yield "npz_" + name, 3 if name == "bomb" else 2, words, {"m.npz": content}
