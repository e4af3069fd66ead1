"""Downloads: resumed, retried, checked, and never at the cost of what was there."""

import hashlib
import http.server
import subprocess
import sys
import threading
import zipfile
from contextlib import contextmanager

import pytest

from biasorigin import sources
from biasorigin.errors import UserError
from biasorigin.sources import extract, fetch

CONTENT = bytes(range(256)) * 4_000
DIGEST = hashlib.sha256(CONTENT).hexdigest()
AT_ONCE = (0, 0)


@contextmanager
def server(behaviour):
    """A server on loopback; `behaviour(handler, number)` answers the request of that number."""
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.headers.get("Range"))
            behaviour(self, len(seen))

        def log_message(self, *_):
            pass

    listening = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.server_port}/data.bin", seen
    finally:
        listening.shutdown()
        listening.server_close()


def answer(handler, content, status=200, declared=None):
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(content) if declared is None else declared))
    handler.end_headers()
    handler.wfile.write(content)


def whole(handler, _):
    answer(handler, CONTENT)


def resuming(handler, number):
    """Break off in the middle of the first answer, then serve the rest."""
    start = int((handler.headers.get("Range") or "bytes=0-")[6:-1])
    if number == 1:
        answer(handler, CONTENT[: len(CONTENT) // 2], declared=len(CONTENT))
        handler.wfile.flush()
        handler.connection.close()
    else:
        answer(handler, CONTENT[start:], status=206)


def at(url, sha256=DIGEST):
    return {"kind": "url", "url": url, "version": "1", "file": "data.bin", "sha256": sha256}


def test_a_file_is_fetched_and_nothing_else_is_left(tmp_path):
    with server(whole) as (url, _):
        fetch("x", at(url), tmp_path / "data.bin", waits=AT_ONCE)
    assert (tmp_path / "data.bin").read_bytes() == CONTENT
    assert [file.name for file in tmp_path.iterdir()] == ["data.bin"]


def test_a_truncated_download_is_resumed(tmp_path):
    with server(resuming) as (url, seen):
        fetch("x", at(url), tmp_path / "data.bin", waits=AT_ONCE)
    assert (tmp_path / "data.bin").read_bytes() == CONTENT
    assert seen[0] is None
    assert seen[1] == f"bytes={len(CONTENT) // 2}-"


def test_a_truncated_download_that_never_ends_is_an_error_and_is_kept_for_later(tmp_path):
    def broken(handler, _):
        answer(handler, CONTENT[:1000], declared=len(CONTENT))
        handler.connection.close()

    (tmp_path / "data.bin").write_bytes(b"earlier")
    with server(broken) as (url, seen), pytest.raises(UserError, match="of 1,024,000 bytes") as caught:
        fetch("x", at(url), tmp_path / "data.bin", waits=AT_ONCE)
    assert len(seen) == 3
    assert "\n" not in str(caught.value)
    assert (tmp_path / "data.bin").read_bytes() == b"earlier"
    assert (tmp_path / ".data.bin.part").stat().st_size == 1000


def test_without_a_digest_two_versions_are_never_joined(tmp_path):
    (tmp_path / ".data.bin.part").write_bytes(b"of an older version")
    with server(resuming) as (url, seen):
        fetch("x", at(url, None), tmp_path / "data.bin", waits=AT_ONCE)
    assert seen == [None, None]
    assert (tmp_path / "data.bin").read_bytes() == CONTENT


@pytest.mark.parametrize("said", [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\nabc", b"rubbish\r\n"])
def test_an_answer_that_is_no_http_is_tried_again_and_then_one_line(tmp_path, said):
    def broken(handler, _):
        handler.wfile.write(said)
        handler.close_connection = True

    with server(broken) as (url, seen), pytest.raises(UserError, match="could not download") as caught:
        fetch("x", at(url), tmp_path / "data.bin", waits=AT_ONCE)
    assert len(seen) == 3
    assert "\n" not in str(caught.value)


def test_a_wrong_digest_shows_both_and_keeps_the_earlier_file(tmp_path):
    (tmp_path / "data.bin").write_bytes(b"earlier")
    with server(whole) as (url, _), pytest.raises(UserError) as caught:
        fetch("x", at(url, "0" * 64), tmp_path / "data.bin", waits=AT_ONCE)
    assert DIGEST in str(caught.value)
    assert "0" * 64 in str(caught.value)
    assert (tmp_path / "data.bin").read_bytes() == b"earlier"
    assert [file.name for file in tmp_path.iterdir()] == ["data.bin"]


def test_a_passing_fault_is_tried_again_and_a_lasting_one_is_not(tmp_path):
    def busy_once(handler, number):
        answer(handler, b"", status=503) if number == 1 else whole(handler, number)

    with server(busy_once) as (url, seen):
        fetch("x", at(url), tmp_path / "data.bin", waits=AT_ONCE)
        assert len(seen) == 2
    with server(lambda handler, _: answer(handler, b"", status=404)) as (url, seen):
        with pytest.raises(UserError, match="404"):
            fetch("x", at(url), tmp_path / "other.bin", waits=AT_ONCE)
        assert len(seen) == 1


def test_a_server_that_does_not_resume_is_read_from_the_start(tmp_path):
    (tmp_path / ".data.bin.part").write_bytes(b"old rubbish")
    with server(whole) as (url, _):
        fetch("x", at(url), tmp_path / "data.bin", waits=AT_ONCE)
    assert (tmp_path / "data.bin").read_bytes() == CONTENT


def test_a_source_without_digest_is_taken_and_its_digest_told(tmp_path, caplog):
    with server(whole) as (url, _):
        fetch("x", at(url, None), tmp_path / "data.bin", waits=AT_ONCE)
    assert DIGEST in caplog.text


@pytest.mark.parametrize("name", ["data.bin", DIGEST])
def test_the_mirror_is_looked_into_first(tmp_path, name):
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / name).write_bytes(CONTENT)
    fetch("x", at("http://127.0.0.1:9/unreachable"), tmp_path / "data.bin", mirror, AT_ONCE)
    assert (tmp_path / "data.bin").read_bytes() == CONTENT


def test_a_wrong_file_in_the_mirror_is_passed_over(tmp_path):
    (tmp_path / "data.bin").write_bytes(b"wrong")
    with server(whole) as (url, _):
        fetch("x", at(url), tmp_path / "out" / "data.bin", tmp_path, AT_ONCE)
    assert (tmp_path / "out" / "data.bin").read_bytes() == CONTENT


def test_a_mirror_that_is_no_folder_is_an_error(tmp_path):
    with pytest.raises(UserError, match="BIASORIGIN_MIRROR"):
        fetch("x", at("http://127.0.0.1:9/"), tmp_path / "data.bin", tmp_path / "none", AT_ONCE)


WHEEL = {"kind": "pypi", "package": "made-up", "version": "1.0", "file": "made_up-1.0-py3-none-any.whl"}


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder that pip takes for its only index, with one wheel in it."""
    folder = tmp_path / "index"
    folder.mkdir()
    wheel = folder / WHEEL["file"]
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("made_up/data.csv", "text\nhello\n")
        archive.writestr("made_up-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: made-up\nVersion: 1.0\n")
        archive.writestr(
            "made_up-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("made_up-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return wheel


def test_a_wheel_is_fetched_by_pip_and_a_member_taken_out(tmp_path, index):
    digest = hashlib.sha256(index.read_bytes()).hexdigest()
    path = tmp_path / "got" / WHEEL["file"]
    fetch("x", {**WHEEL, "sha256": digest}, path, waits=AT_ONCE)
    extract("x", path, "made_up/data.csv", tmp_path / "got" / "data.csv")
    assert (tmp_path / "got" / "data.csv").read_text() == "text\nhello\n"
    assert sorted(file.name for file in path.parent.iterdir()) == ["data.csv", WHEEL["file"]]


def test_a_wheel_with_another_digest_is_not_used(tmp_path, index):
    path = tmp_path / WHEEL["file"]
    path.write_bytes(b"earlier")
    with pytest.raises(UserError, match="expected 1111"):
        fetch("x", {**WHEEL, "sha256": "1" * 64}, path, waits=AT_ONCE)
    assert path.read_bytes() == b"earlier"


def test_a_package_that_is_not_there_is_one_line(tmp_path, index):
    with pytest.raises(UserError, match=r"pip could not download no-such-package==1\.0") as caught:
        fetch("x", {**WHEEL, "package": "no-such-package", "sha256": "1" * 64}, tmp_path / "a.whl", waits=AT_ONCE)
    assert "\n" not in str(caught.value)


def test_pip_never_runs_an_sdist(tmp_path, monkeypatch):
    commands = []

    def record(command, **_):
        commands.append(command)
        return subprocess.CompletedProcess(command, 1, "", "ERROR: No matching distribution found")

    monkeypatch.setattr(sources.subprocess, "run", record)
    with pytest.raises(UserError):
        fetch("x", {**WHEEL, "sha256": "1" * 64}, tmp_path / "a.whl", waits=AT_ONCE)
    (command,) = commands
    assert command[:4] == [sys.executable, "-m", "pip", "download"]
    assert command[command.index("--only-binary") + 1] == ":all:"
    assert "--no-deps" in command
