"""Changes to an input: of bytes, of tokens, and of what lies inside a compressed file, an archive or a tree of values.

A checksum would keep most changed archives from being looked into, so that these are taken apart, changed inside
and put together again.
"""

import bz2
import gzip
import io
import json
import lzma
import struct
import tarfile
import warnings
import zipfile
import zlib
from random import Random

import yaml
import zstandard

LARGEST = 1 << 16
NUMBERS = (0, 1, 2, 127, 128, 255, 256, 32767, 65535, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 40, 1 << 62)
TOKENS = (
    *(b"\x00", b"\n", b"\r", b"\r\n", b"\t", b" ", b",", b'"', b'""', b"'", b"\\", b"/", b"../", b"<", b">", b"&"),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\xc3", b"\x1b[2J", b"\x85"),
    *(b"nan", b"-inf", b"1e999", b"-0", b"1_0", b"0x10", b"99999999999999999999", b"null", b"true", b"{", b"}", b"["),
)
VALUES = (
    *(None, True, False, 0, -1, 1, 10**30, 1.5, float("nan"), float("inf"), "", " ", "a", "\u2028", "\x00", "../../x"),
    *("$(touch x)", "<script>", "\x1b[2J", "x" * 5000, [], {}, [[]], [None], {"": None}, {"like": "a"}, ["a", "a"]),
)
NAMES = ("../x", "/x", "a/../../x", "..\\x", "C:x", "", ".", "./a", "a/", "a//b", "a\x00b", "x.pkl", "\u202egnp.xml")
PACKED = {
    b"\x1f\x8b": (gzip.decompress, gzip.compress),
    b"BZh": (bz2.decompress, bz2.compress),
    b"\xfd7zXZ": (lzma.decompress, lzma.compress),
    b"\x28\xb5\x2f\xfd": (
        lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
        zstandard.compress,
    ),
}


def mutate(data: bytes, random: Random, others: list[bytes], tokens: tuple[bytes, ...] = ()) -> bytes:
    """The input after one to several changes; `others` are inputs to take pieces from."""
    for _ in range(1 + min(int(random.expovariate(0.7)), 8)):
        data = _inside(data, random, others, tokens) if random.random() < 0.6 else _bytes(data, random, others, tokens)
        data = data[:LARGEST]
    return data


def _inside(data: bytes, random: Random, others: list[bytes], tokens: tuple[bytes, ...]) -> bytes:
    """Change what an input holds, if it holds something."""
    try:
        for magic, (unpack, pack) in PACKED.items():
            if data.startswith(magic):
                return pack(mutate(unpack(data)[:LARGEST], random, others, tokens))
        if data.startswith(b"PK\x03\x04"):
            return _zip(data, random, others, tokens)
        if data[257:262] == b"ustar":
            return _tar(data, random, others, tokens)
        if data[:1] in b"{[":
            lines = data.split(b"\n")
            place = random.randrange(len(lines))
            lines[place] = json.dumps(_tree(json.loads(lines[place]), random)).encode()
            return b"\n".join(lines)
        if data.startswith(b"%YAML") or b":\n" in data[:2000] or b": " in data[:200]:
            return yaml.safe_dump(_tree(yaml.safe_load(data), random), allow_unicode=True, width=1000).encode()
    except (
        ValueError,
        OverflowError,
        EOFError,
        OSError,
        zlib.error,
        zipfile.BadZipFile,
        tarfile.TarError,
        lzma.LZMAError,
    ):
        pass
    except (yaml.YAMLError, zstandard.ZstdError, RecursionError, NotImplementedError, struct.error, RuntimeError):
        pass
    return _bytes(data, random, others, tokens)


def _bytes(data: bytes, random: Random, others: list[bytes], tokens: tuple[bytes, ...]) -> bytes:
    """Put something else, more, or nothing in the place of some bytes."""
    at, end = sorted(random.randrange(len(data) + 1) for _ in range(2))
    end = min(end, at + random.choice((0, 0, 1, 1, 2, 4, 16, 256)))
    other = random.choice(others) if others else b""
    start = random.randrange(len(other) + 1)
    number, width = random.choice(NUMBERS), random.choice((1, 2, 4, 8))
    new = (
        lambda: b"",
        lambda: data[at:end] * random.choice((2, 3, 50)),
        lambda: other[start : start + random.choice((4, 64, LARGEST))],
        lambda: random.randbytes(random.choice((1, 2, 8))),
        lambda: bytes(byte ^ 1 << random.randrange(8) for byte in data[at:end][:2]) + data[at:end][2:],
        lambda: (number % (1 << 8 * width)).to_bytes(width, random.choice(("little", "big"))),
        lambda: str(random.choice((-1, 1)) * number).encode(),
        lambda: random.choice(TOKENS),
        lambda: random.choice(tokens or TOKENS),
    )
    made = data[:at] + random.choice(new)() + data[end:]
    return made if random.random() < 0.98 else made[:at]


def _zip(data: bytes, random: Random, others: list[bytes], tokens: tuple[bytes, ...]) -> bytes:
    """The archive written anew with one member changed, or with one of its stated sizes changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        members = [(info.filename, info.external_attr, old.read(info)[:LARGEST]) for info in old.infolist()[:20]]
    place = random.randrange(len(members))
    name, attributes, content = members[place]
    kind = random.randrange(6)
    if kind == 0:
        name = random.choice((*NAMES, name + random.choice(NAMES)))
    elif kind == 1:
        attributes = random.choice((0o120777, 0o040755, 0o020666)) << 16
    elif kind == 2:
        members.append(members[place])
    elif kind == 3:
        content = content * 40
    else:
        content = mutate(content, random, others, tokens)
    members[place] = (name, attributes, content)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as new:
        for name, attributes, content in members:
            info = zipfile.ZipInfo(name or "a")
            info.external_attr = attributes
            info.compress_type = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA))
            with warnings.catch_warnings(action="ignore"):  # of two members with one name
                new.writestr(info, content)
    made = bytearray(out.getvalue())
    directory = made.rfind(b"PK\x01\x02")
    if random.random() < 0.3 and directory > 0:  # sizes, offset or flags of the last member's entry
        field = directory + random.choice((8, 10, 20, 24, 28, 42))
        made[field : field + 2] = struct.pack("<H", random.choice(NUMBERS) & 0xFFFF)
    return bytes(made)


def _tar(data: bytes, random: Random, others: list[bytes], tokens: tuple[bytes, ...]) -> bytes:
    """The archive written anew with one member changed, or with a header changed whose sum is right again."""
    if random.random() < 0.4:
        block = 512 * random.randrange(max(1, len(data) // 512))
        header = bytearray(_bytes(data[block : block + 512], random, others, tokens)[:512].ljust(512, b"\x00"))
        header[148:156] = b" " * 8
        header[148:156] = b"%06o\x00 " % sum(header)
        return data[:block] + bytes(header) + data[block + 512 :]
    with tarfile.open(fileobj=io.BytesIO(data)) as old:
        members = [(info, old.extractfile(info).read()[:LARGEST] if info.isreg() else b"") for info in old][:20]
    place = random.randrange(len(members))
    info, content = members[place]
    kind = random.randrange(5)
    if kind == 0:
        info.name = random.choice((*NAMES, info.name + random.choice(NAMES))).replace("\x00", "0")
    elif kind == 1:
        info.type, info.linkname = random.choice(b"123456gxLKSDV7").to_bytes(), random.choice(("/etc/x", "../x", "a"))
    elif kind == 2:
        members.append(members[place])
    else:
        content = mutate(content, random, others, tokens)
    members[place] = (info, content)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=random.choice((0, 1, 2))) as new:
        for info, content in members:
            info.size = len(content)
            new.addfile(info, io.BytesIO(content))
    return out.getvalue()


def _tree(value: object, random: Random) -> object:
    """A tree of plain values with one node replaced, taken away, doubled or renamed."""
    if isinstance(value, dict | list) and value and random.random() < 0.85:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = random.choice(keys)
        kind = random.randrange(12)
        if kind == 0:
            del value[key]
        elif kind == 1 and isinstance(value, list):
            value.append(value[key])
        elif kind == 1:
            value[random.choice((f"{key}s", 5, None, True, "../x", "", "a b"))] = value[key]
        elif kind == 2:
            value[key] = value[random.choice(keys)]
        else:
            value[key] = _tree(value[key], random)
        return value
    return random.choice(VALUES)
