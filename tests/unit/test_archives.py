"""Compressed files and archives: what is whole is read, what is damaged or hostile is one clear error."""

import bz2
import gzip
import io
import lzma
import os
import struct
import tarfile
import zipfile

import pytest
import zstandard

from biasorigin.archives import archive_kind, decompressed, extract_members, iterate_members, open_file, read_member
from biasorigin.errors import UserError

COMPRESSORS = {
    "plain": lambda data: data,
    "gzip": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstandard.compress,
}
CONTENT = os.urandom(50_000) + b"the end"


def make_zip(path, members, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def make_tar(path, members, mode="w:gz"):
    with tarfile.open(path, mode) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def one_line(problem):
    message = str(problem.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_compression_is_told_by_content_not_by_name(tmp_path, kind):
    path = tmp_path / "file.txt"
    path.write_bytes(COMPRESSORS[kind](CONTENT))
    with open_file(path) as stream:
        assert stream.read() == CONTENT


@pytest.mark.parametrize("kind", ["gzip", "bz2", "zstd", "xz"])
def test_several_compressed_streams_in_one_file_are_all_read(tmp_path, kind):
    path = tmp_path / "file"
    path.write_bytes(COMPRESSORS[kind](b"one ") + COMPRESSORS[kind](b"two"))
    with open_file(path) as stream:
        assert stream.read() == b"one two"


@pytest.mark.parametrize("kind", ["gzip", "bz2", "xz", "zstd"])
@pytest.mark.parametrize("cut", [3, 20_000])
def test_cut_off_file_is_an_error_with_its_name(tmp_path, kind, cut):
    path = tmp_path / f"reviews.{kind}"
    path.write_bytes(COMPRESSORS[kind](CONTENT)[:-cut])
    with pytest.raises(UserError) as problem, open_file(path) as stream:
        stream.read()
    assert f"reviews.{kind}" in one_line(problem)
    assert "cut off" in one_line(problem)


@pytest.mark.parametrize("kind", ["gzip", "bz2", "xz", "zstd"])
def test_damaged_file_is_an_error(tmp_path, kind):
    data = bytearray(COMPRESSORS[kind](b"abc " * 10_000 + CONTENT))
    for at in range(len(data) // 2, len(data) // 2 + 60):
        data[at] ^= 0xFF
    path = tmp_path / "file"
    # zstd checks its content only if the writer asked for it
    path.write_bytes(bytes(data) if kind != "zstd" else bytes(data[:30]) + b"\xff" * 50)
    with pytest.raises(UserError), open_file(path) as stream:
        stream.read()


def test_missing_file_is_an_error(tmp_path):
    with pytest.raises(UserError, match=r"nothing\.txt: cannot be opened"):
        open_file(tmp_path / "nothing.txt")


def test_closing_closes_what_lies_below(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(b"abc"))
    below = path.open("rb")
    decompressed(below, "file").close()
    assert below.closed


def test_kind_of_archive(tmp_path):
    assert archive_kind(make_zip(tmp_path / "a.bin", {"x": b"1"})) == "zip"
    assert archive_kind(make_tar(tmp_path / "b.bin", {"x": b"1"})) == "tar"
    assert archive_kind(make_tar(tmp_path / "c.bin", {"x": b"1"}, "w")) == "tar"
    (tmp_path / "d.txt").write_text("words")
    assert archive_kind(tmp_path / "d.txt") is None


def test_read_member(tmp_path):
    path = make_zip(tmp_path / "a.whl", {"pkg/data.csv": CONTENT, "pkg/other": b""})
    assert read_member(path, "pkg/data.csv") == CONTENT
    assert read_member(path, "pkg/other") == b""
    with pytest.raises(UserError, match=r"a\.whl: has no member pkg/none; it holds pkg/data\.csv, pkg/other"):
        read_member(path, "pkg/none")


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_extract_members(tmp_path, make):
    path = make(tmp_path / "a", {"pkg/1.txt": b"one", "pkg/sub/2.txt": b"two", "pkg/3.csv": b"three"})
    found = extract_members(path, ["pkg/*.txt"], tmp_path / "out")
    assert [p.relative_to(tmp_path / "out").as_posix() for p in found] == ["pkg/1.txt", "pkg/sub/2.txt"]
    assert [p.read_bytes() for p in found] == [b"one", b"two"]
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["pkg"]
    with pytest.raises(UserError, match="no member matches nothing"):
        extract_members(path, ["nothing"], tmp_path / "out")


@pytest.mark.parametrize("make", [make_zip, make_tar])
@pytest.mark.parametrize("name", ["../evil.txt", "a/../../evil.txt", "/evil.txt", "..\\evil.txt", "C:\\evil.txt"])
def test_member_outside_the_target_condemns_the_archive(tmp_path, make, name):
    path = make(tmp_path / "a", {"good.txt": b"good", name: b"evil"})
    with pytest.raises(UserError) as problem:
        extract_members(path, ["*"], tmp_path / "deep" / "out")
    assert "points outside" in one_line(problem)
    assert list((tmp_path / "deep" / "out").iterdir()) == []
    assert not list(tmp_path.rglob("evil*"))


def test_symlink_in_zip_is_refused(tmp_path):
    info = zipfile.ZipInfo("link.txt")
    info.external_attr = 0o120777 << 16
    path = make_zip(tmp_path / "a.zip", {})
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, "/etc/hostname")
    with pytest.raises(UserError, match="is a link"):
        extract_members(path, ["*"], tmp_path / "out")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_link_or_device_in_tar_is_refused(tmp_path, kind):
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        info = tarfile.TarInfo("link.txt")
        info.type, info.linkname = kind, "/etc/hostname"
        archive.addfile(info)
    with pytest.raises(UserError, match="link or a device"):
        extract_members(path, ["*"], tmp_path / "out")


def test_link_that_lies_in_the_target_is_not_followed_out_of_it(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "pkg").symlink_to(tmp_path / "outside")
    path = make_zip(tmp_path / "a.zip", {"pkg/evil.txt": b"evil"})
    with pytest.raises(UserError, match="would land outside"):
        extract_members(path, ["*"], tmp_path / "out")
    assert list((tmp_path / "outside").iterdir()) == []


def declare_size(path, size):
    """Rewrite the uncompressed size that a zip with one member declares."""
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, 22, size)
    central = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, central + 24, size)
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("declared", [10, 1_000_001])
def test_member_of_another_size_than_declared_is_an_error_and_never_read_beyond_it(tmp_path, declared):
    path = make_zip(tmp_path / "a.zip", {"bomb.txt": b"0" * 1_000_000})
    declare_size(path, declared)
    with pytest.raises(UserError) as problem:
        extract_members(path, ["*"], tmp_path / "out")
    assert "a.zip:bomb.txt" in one_line(problem)
    assert list((tmp_path / "out").iterdir()) == []


def test_absurd_size_is_refused_before_reading(tmp_path):
    path = make_zip(tmp_path / "a.zip", {"big.txt": b"0" * 1000})
    with pytest.raises(UserError, match="declares 1,000 bytes, more than the 999 allowed"):
        extract_members(path, ["*"], tmp_path / "out", limit=999)


@pytest.mark.parametrize("make", [make_zip, make_tar])
def test_pickle_is_refused(tmp_path, make):
    path = make(tmp_path / "a", {"model.pkl": b"\x80\x04."})
    with pytest.raises(UserError, match="is a pickle"):
        extract_members(path, ["*"], tmp_path / "out")


def test_same_member_twice_is_an_error(tmp_path):
    path = make_tar(tmp_path / "a.tgz", {"x.txt": b"1", "./x.txt": b"2"})
    with pytest.raises(UserError, match=r"member x\.txt twice"):
        extract_members(path, ["*"], tmp_path / "out")


@pytest.mark.parametrize("length", [600, 1000, 1900, 3000, 4608])  # in a member, in a header, before the end mark
def test_cut_off_tar_is_an_error_wherever_it_ends(tmp_path, length):
    members = {f"{i}.txt": bytes([65 + i]) * 600 for i in range(3)}
    path = make_tar(tmp_path / "a.tar", members, "w")
    assert {name: stream.read() for name, stream in iterate_members(path, ["*"])} == members
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(UserError) as problem:
        for _, stream in iterate_members(path, ["*"]):
            stream.read()
    assert "a.tar" in one_line(problem)


def test_broken_header_in_the_middle_of_a_tar_is_not_its_end(tmp_path):
    path = make_tar(tmp_path / "a.tar", {"1.txt": b"1" * 512, "2.txt": b"2" * 512}, "w")
    data = bytearray(path.read_bytes())
    data[1024:1030] = b"broken"
    path.write_bytes(bytes(data))
    with pytest.raises(UserError, match="damaged or cut off tar"):
        list(iterate_members(path, ["*"]))


def test_damaged_zip_is_an_error(tmp_path):
    path = make_zip(tmp_path / "a.zip", {"x.txt": CONTENT})
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    with pytest.raises(UserError, match=r"a\.zip: not a readable zip archive"):
        read_member(path, "x.txt")
    path.write_bytes(whole[:2000] + b"????" + whole[2004:])
    with pytest.raises(UserError, match=r"a\.zip:x\.txt: damaged"):
        read_member(path, "x.txt")


def test_disk_full_while_extracting_leaves_the_old_file(tmp_path, monkeypatch):
    path = make_zip(tmp_path / "a.zip", {"x.txt": b"new"})
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x.txt").write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("biasorigin.archives.shutil.copyfileobj", full)
    with pytest.raises(UserError, match=r"x\.txt: cannot be written \(No space left on device\)"):
        extract_members(path, ["*"], tmp_path / "out")
    assert (tmp_path / "out" / "x.txt").read_text() == "old"
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["x.txt"]


def test_member_that_is_passed_over_may_not_be_endless(tmp_path):
    """tarfile would count through all of the bytes that it declares, long after the archive's end."""
    endless = tarfile.TarInfo("endless.bin")
    endless.size = 1 << 62
    (tmp_path / "a.tar").write_bytes(endless.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    with pytest.raises(UserError, match="declares 4,611,686,018,427,387,904 bytes"):
        list(iterate_members(tmp_path / "a.tar", ["*.txt"]))
