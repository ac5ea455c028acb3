"""Profile pictures."""

import random
from io import BytesIO

import pytest
from PIL import Image

from tests.sandbox.conftest import refused
from tests.support import plain_http


def picture(file_type="JPEG", size=(64, 48), colour="teal"):
    content = BytesIO()
    Image.new("RGB", size, colour).save(content, file_type)
    return content.getvalue()


def upload(api, person, content, name="me.jpg"):
    files = {"pic_file": (name, content, "image/jpeg")}
    return api.post(f"/users/{person['id']}/picture", files=files)


def test_is_shown_at_the_address_that_the_profile_reports(sandbox, api, person):
    content = picture()
    assert api.get(f"/users/{person['id']}").json()["pic_url"] == ""

    answer = upload(api, person, content)

    assert (answer.status_code, answer.content) == (201, b"")
    address = api.get(f"/users/{person['id']}").json()["pic_url"]
    assert address == sandbox.site + answer.headers["content-location"]
    shown = plain_http.get(address)
    assert shown.headers["content-type"] == "image/jpeg"
    assert shown.content == content


def test_a_new_one_has_a_new_address_and_the_old_one_is_gone(api, person):
    upload(api, person, picture(colour="red"))
    first = api.get(f"/users/{person['id']}").json()["pic_url"]
    upload(api, person, picture(colour="blue"))
    second = api.get(f"/users/{person['id']}").json()["pic_url"]

    assert first != second
    assert plain_http.get(second).content == picture(colour="blue")
    refused(plain_http.get(first), 404)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no picture",
        picture("PNG"),
        picture("GIF"),
        picture()[:-200],
        b"\xff\xd8\xff" + b"x" * 99,
    ],
    ids=["empty", "text", "png", "gif", "cut short", "only its first bytes"],
)
def test_must_be_a_real_jpeg(api, person, content):
    refused(upload(api, person, content), 400, "pic_file")
    assert api.get(f"/users/{person['id']}").json()["pic_url"] == ""


def test_must_not_unfold_to_a_monster(api, person):
    content = picture(size=(9000, 9000))
    assert len(content) < 2 * 2**20
    refused(upload(api, person, content), 400, "pic_file")


@pytest.mark.parametrize("size", [2 * 2**20 + 1, 5 * 2**20])
def test_must_not_be_larger_than_two_megabytes(api, person, size):
    content = picture() + random.Random(1).randbytes(size)  # noqa: S311
    refused(upload(api, person, content[:size]), 413)


def test_may_be_of_two_megabytes(api, person):
    content = picture() + b"\0" * (2 * 2**20)
    assert upload(api, person, content[: 2 * 2**20]).status_code == 201


def test_must_come_in_a_form(api, person):
    path = f"/users/{person['id']}/picture"
    refused(api.post(path, content=picture(), headers={"Content-Type": "image/jpeg"}), 415)
    refused(api.post(path, json={"pic_file": "text"}), 415)
    refused(api.post(path), 415)


def test_must_come_as_a_file_of_the_right_name(api, person):
    path = f"/users/{person['id']}/picture"
    refused(api.post(path, files={"photo": picture()}), 400, "pic_file")
    refused(
        api.post(path, files=[("pic_file", picture()), ("pic_file", picture())]), 400, "pic_file"
    )
    text = {"pic_file": (None, "just text")}
    refused(api.post(path, files=text), 400, "pic_file")


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=", b"x"),
        ("multipart/form-data; boundary=é", b"x"),
        ("multipart/form-data; boundary=a", b""),
        ("multipart/form-data; boundary=a", b"--b\r\n\r\n"),
        ("multipart/form-data; boundary=a", b"--a\r\nContent-Disposition: form-data; name=\r\n"),
        (
            "multipart/form-data; boundary=a",
            b'--a\r\nContent-Disposition: form-data; name="pic_file"; filename="x"\r\n'
            b"Content-Transfer-Encoding: base64\r\n\r\n!!!\r\n--a--\r\n",
        ),
        (
            "multipart/form-data; boundary=a",
            b'--a\r\nContent-Disposition: form-data; name="x"\r\n\r\n' * 3000,
        ),
    ],
)
def test_a_broken_form_is_refused(api, person, media_type, body):
    answer = api.post(
        f"/users/{person['id']}/picture",
        content=body,
        headers={"Content-Type": media_type.encode()},
    )
    assert answer.status_code in {400, 415}, answer.text


def test_only_a_picture_that_exists_is_shown_and_only_shown(sandbox):
    refused(plain_http.get(f"{sandbox.site}/pictures/none"), 404)
    refused(plain_http.get(f"{sandbox.site}/pictures/%00"), 404)
    refused(plain_http.delete(f"{sandbox.site}/pictures/none"), 405)
