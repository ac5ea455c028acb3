"""Files of counts on a disk that fills up: the process goes on, with what it has counted."""

import errno
import os

import pytest

from portal.config.metric_files import AllocatedDict


def _on_the_disk(path):
    return path.stat().st_blocks * 512


def test_file_that_grows_is_on_disk_before_it_is_written_to(tmp_path):
    path = tmp_path / "counter_1.db"
    path.touch()
    os.truncate(path, 4096)
    counts = AllocatedDict(str(path))
    for number in range(200):
        counts.write_value(f"{number:0100}", 1.0, 0.0)
        assert _on_the_disk(path) >= path.stat().st_size or path.stat().st_size == 4096
    assert path.stat().st_size > 4096
    counts.close()
    assert len([*AllocatedDict.read_all_values_from_file(path)]) == 200


def test_a_full_disk_is_an_error_and_loses_no_count(tmp_path, monkeypatch):
    path = tmp_path / "counter_1.db"
    path.write_bytes(bytes(4096))
    counts = AllocatedDict(str(path))
    counts.write_value("known", 1.0, 0.0)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space left"):
        counts.write_value("x" * 5000, 1.0, 0.0)
    assert path.stat().st_size == 4096
    counts.write_value("known", 2.0, 0.0)
    assert counts.read_value("known") == (2.0, 0.0)
