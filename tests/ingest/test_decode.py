"""Bytes become text without loss, whatever they were written in, and guesses are told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.ingest.decode import HEAD_BYTES, decode, looks_binary, storable
from scrubjay.ingest.detect import declared, detect

GERMAN = "Die Königin der Öfen bäckt früh; das Café öffnet um sieben, und Müllers Hündchen schläft süß. "
FRENCH = "L’été dernier, les élèves ont mangé des crêpes à la crème — déjà très sucrées. "
RUSSIAN = "Съешь ещё этих мягких французских булок, да выпей чаю. Привет, мир! "
CHINESE = "我们的数据库设计文档说明了如何安装和配置系统，以及如何备份所有的文件。"
JAPANESE = "これはデータベースの設計に関する文書です。インストールの方法も説明しています。"
KOREAN = "이 문서는 데이터베이스 설계와 설치 방법을 설명합니다. 백업도 다룹니다. "


@given(text=st.text(max_size=200).filter(lambda text: "\x00" not in text and not text.startswith("\ufeff")))
def test_utf8_is_as_it_was(text: str) -> None:
    data = text.encode("utf-8")
    if not looks_binary(data):
        read = decode(data)
        assert read is not None
        assert (read.text, read.encoding, read.notices) == (text, "utf-8", ())


@given(data=st.binary(max_size=400))
def test_whatever_comes_out_can_be_stored(data: bytes) -> None:
    read = decode(data)
    if read is not None:
        read.text.encode("utf-8")
        assert "\x00" not in read.text


@given(text=st.text())
def test_storable_changes_only_what_cannot_be_stored(text: str) -> None:
    kept = storable(text)
    assert len(kept) == len(text)
    assert all(new == old or (new == "\ufffd" and (old == "\x00" or "\ud800" <= old <= "\udfff"))
               for new, old in zip(kept, text, strict=True))  # fmt: skip


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r", "\n\r\n\r"])
def test_line_ends_are_kept(ends: str) -> None:
    text = ends.join(["one", "two", "", "three"]) + ends
    read = decode(text.encode())
    assert read is not None
    assert read.text == text


@pytest.mark.parametrize("text", [GERMAN, CHINESE, "plain\r\nlines\r\n" * 9, "🙂 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 e\u0301 and words " * 3])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_marks_decide(text: str, encoding: str) -> None:
    read = decode(text.encode(encoding))
    assert read is not None
    assert (read.text, read.notices) == (text, ())


@pytest.mark.parametrize("text", [GERMAN * 3, "plain lines\r\n" * 9, "word " * 5000, RUSSIAN * 4 + "and ASCII"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_without_a_mark_is_known_and_told(text: str, encoding: str) -> None:
    read = decode(text.encode(encoding))
    assert read is not None
    assert read.text == text
    [notice] = read.notices
    assert encoding in notice.reason
    assert notice.remedy


def test_a_pair_of_surrogates_over_the_end_of_the_head() -> None:
    text = "a" * (HEAD_BYTES // 2 - 1) + "🙂" + "words after it " * 5
    read = decode(text.encode("utf-16-le"))
    assert read is not None
    assert read.text == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"), (FRENCH, "cp1252"), (GERMAN, "latin-1"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"),
        (CHINESE * 4, "gb18030"), (JAPANESE * 4, "shift_jis"), (JAPANESE * 4, "euc_jp"), (KOREAN * 4, "euc_kr"),
        (CHINESE.replace("数据库设计文档", "") * 4, "gbk"),
    ],
)  # fmt: skip
def test_old_encodings_are_guessed_and_the_guess_is_told(text: str, encoding: str) -> None:
    read = decode(text.encode(encoding))
    assert read is not None
    assert read.text == text
    [notice] = read.notices
    assert notice.stage == "decode"
    assert read.encoding in notice.reason
    assert "UTF-8" in notice.remedy


def test_one_line_of_old_letters_in_much_ascii() -> None:
    text = "plain words in a line\n" * 3000 + "the café and the naïve façade\n" + "more plain words\n" * 3000
    read = decode(text.encode("cp1252"))
    assert read is not None
    assert read.text == text


def test_a_few_bad_bytes_do_not_change_the_encoding() -> None:
    data = "Größe und Höhe, Länge und Breite, früh und spät".encode() + b" \xff\xfe " + "schön, süß, müde".encode()
    read = decode(data)
    assert read is not None
    assert read.encoding == "utf-8"
    assert "Größe" in read.text
    assert read.text.count("\ufffd") == 2
    [notice] = read.notices
    assert "2 unreadable places" in notice.reason


def test_a_replacement_character_that_was_there_is_no_fault() -> None:
    read = decode("it says \ufffd here".encode())
    assert read is not None
    assert read.notices == ()


def test_a_nul_is_replaced_and_told() -> None:
    read = decode(b"words and words and more words\x00 and others that follow, quite a lot of them")
    assert read is not None
    assert "\ufffd and others" in read.text
    assert "1 NUL" in read.notices[0].reason


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 20,
        b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" * 30,
        b"\x7fELF\x02\x01\x01" + b"\x00" * 200,
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + bytes(range(0, 255, 7)) * 30,
        b"\x00" * 1000,
        b"SQLite format 3\x00" + b"\x10\x00\x01\x01\x00" * 100,
    ],
)
def test_bytes_that_are_no_text(data: bytes) -> None:
    assert decode(data) is None


def test_a_script_with_an_archive_behind_it_is_no_text() -> None:
    assert decode(b"#!/bin/sh\necho unpacking\n" * 600 + bytes(range(256)) * 200) is None


def test_escape_codes_and_tabs_are_text() -> None:
    data = b"\x1b[1mbold\x1b[0m and\ttabs\x0c\n" * 10
    read = decode(data)
    assert read is not None
    assert read.text.encode() == data


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b'<meta charset="windows-1251">', "windows-1251"),
        (b"# -*- coding: latin-1 -*-", "cp1252"),
        (b'<?xml version="1.0" encoding="gb2312"?>', "gb18030"),
        (b'@charset "nonsense-77";', None),
        (b"encoding: base64", None),
        (b"no word of it", None),
    ],
)
def test_what_a_file_says_of_itself(head: bytes, name: str | None) -> None:
    assert declared(head) == name


def test_a_declaration_that_cannot_be_true_is_not_believed() -> None:
    data = b"# coding: ascii-8\n" + RUSSIAN.encode("cp1251") * 3
    read = decode(data)
    assert read is not None
    assert "Привет" in read.text


@given(data=st.binary(min_size=1, max_size=300))
def test_a_guess_is_always_an_encoding(data: bytes) -> None:
    "".encode(detect(data + b"\xe9"))
