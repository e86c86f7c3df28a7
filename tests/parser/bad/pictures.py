"""Pictures: PNG, JPEG, BMP, PNM."""
import struct
import zlib


def chunk(kind, content, crc=None):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content) if crc is None else crc)


def png(width=2, height=2, depth=8, colour=0, data=None, more=b""):
    rows = zlib.compress(b"\0\0\0" * 2) if data is None else data
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)) +
            more + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def bmp(width=2, height=2, bits=24, offset=54, compression=0, size=40, data=bytes(16)):
    return (b"BM" + struct.pack("<IHHI", 54 + len(data), 0, 0, offset) +
            struct.pack("<IiiHHIIiiII", size, width, height, 1, bits, compression, 0, 0, 0, 0, 0) + data)


FILES = [
    ("png_cut", "png", png()[:40]),
    ("png_signature_alone", "png", b"\x89PNG\r\n\x1a\n"),
    ("png_width_zero", "png", png(width=0)),
    ("png_huge", "png", png(2**31 - 1, 2**31 - 1)),
    ("png_promise", "png", png(20000, 20000)),
    ("png_depth", "png", png(depth=3)),
    ("png_colour", "png", png(colour=5)),
    ("png_no_palette", "png", png(colour=3)),
    ("png_rubbish", "png", png(data=b"\xff" * 20)),
    ("png_crc", "png", png()[:29] + b"\0\0\0\0" + png()[33:]),
    ("png_bomb", "png", png(more=chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(2**26))), data=b"")),
    ("jpeg_alone", "jpg", b"\xff\xd8\xff\xe0"),
    ("jpeg_end", "jpg", b"\xff\xd8\xff\xd9"),
    ("jpeg_segment_length", "jpg", b"\xff\xd8\xff\xdb\x00\x00"),
    ("jpeg_huge", "jpg", b"\xff\xd8\xff\xc0\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00\xff\xd9"),
    ("bmp_cut", "bmp", bmp()[:50]),
    ("bmp_header_size", "bmp", bmp(size=2**31)),
    ("bmp_offset", "bmp", bmp(offset=2**31)),
    ("bmp_width_negative", "bmp", bmp(width=-2)),
    ("bmp_height_least", "bmp", bmp(height=-2**31)),
    ("bmp_huge", "bmp", bmp(width=2**31 - 1, height=2**31 - 1)),
    ("bmp_bits", "bmp", bmp(bits=7)),
    ("bmp_compression", "bmp", bmp(compression=9)),
    ("bmp_short", "bmp", bmp(data=bytes(15))),
    ("pnm_cut", "ppm", b"P6 2 2 255\n" + bytes(11)),
    ("pnm_zero", "ppm", b"P6 0 2 255\n"),
    ("pnm_huge", "ppm", b"P6 99999999999 99999999999 255\n"),
    ("pnm_negative", "ppm", b"P6 -2 2 255\n" + bytes(12)),
    ("pnm_most", "ppm", b"P6 2 2 0\n" + bytes(12)),
    ("pnm_most_huge", "ppm", b"P6 2 2 65536\n" + bytes(24)),
    ("pnm_word", "pgm", b"P2 2 2 255\n1 2 three 4\n"),
    ("pnm_comment", "pgm", b"P2 # " + b"a" * 100000),
    ("none", "png", b"no picture"),
]


# A promise that some machine could keep is refused by the limit of memory, with status 3.
PROMISES = ["png_promise", "bmp_height_least", "bmp_huge"]


def cases():
    for name, ending, content in FILES:
        yield name, 3 if name in PROMISES else 2, "", {"m." + ending: content}
