"""Pictures: what is sent and what is shown is a JPEG that the portal made (promise 30)."""

import io
import random
import zlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageCms

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.people.services import picture
from portal.people.services.picture import PictureRefused, reencode
from tests.support.fault_server import answer
from tests.support.people_pages import url

pytestmark = pytest.mark.django_db

HIDDEN = b"51.5007 north, 0.1246 west"


def _file(kind="JPEG", size=(60, 40), mode="RGB"):
    made = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = HIDDEN.decode()
    extra = {"exif": exif, "comment": HIDDEN} if kind == "JPEG" else {}
    Image.new(mode, size, "teal").save(made, kind, **extra)
    return made.getvalue()


def _upload(client, connection, person, content):
    file = SimpleUploadedFile("me.png", content, "image/png")
    return client.post(url(connection, person, "picture"), {"picture": file})


def _kept(sandbox, person):
    """The picture as the service has it."""
    return sandbox.client.get(person.now()["pic_url"]).content


def test_picture_is_uploaded_as_jpeg_without_metadata(client, connection, person, sandbox):
    original = _file() + b"<?php " + HIDDEN
    assert HIDDEN in original
    assert _upload(client, connection, person, original).status_code == 303
    kept = _kept(sandbox, person)
    assert kept[:3] == b"\xff\xd8\xff"
    assert HIDDEN not in kept
    assert b"<?php" not in kept
    assert not Image.open(io.BytesIO(kept)).getexif()


@pytest.mark.parametrize(
    ("kind", "mode"), [("PNG", "RGBA"), ("PNG", "P"), ("GIF", "P"), ("WEBP", "RGB"), ("JPEG", "L")]
)
def test_other_pictures_become_a_jpeg(kind, mode):
    made = Image.open(io.BytesIO(reencode(_file(kind, mode=mode))))
    assert (made.format, made.mode, made.size) == ("JPEG", "RGB", (60, 40))


def test_whatever_else_a_picture_carries_is_left_behind():
    frames = [Image.new("P", (40, 30), colour) for colour in (1, 2, 3)]
    moving, printed, deep = io.BytesIO(), io.BytesIO(), io.BytesIO()
    frames[0].save(moving, "GIF", save_all=True, append_images=frames[1:], comment=HIDDEN)
    Image.new("CMYK", (40, 30), "teal").save(printed, "JPEG", icc_profile=HIDDEN, xmp=HIDDEN)
    Image.new("I;16", (40, 30)).save(deep, "PNG", icc_profile=HIDDEN)
    for original in (moving, printed, deep):
        made = reencode(original.getvalue())
        picture = Image.open(io.BytesIO(made))
        assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", (40, 30))
        assert getattr(picture, "n_frames", 1) == 1
        assert HIDDEN not in made
        assert not picture.info.keys() & {"icc_profile", "xmp", "exif", "comment"}


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
def test_broken_picture_is_refused_or_becomes_jpeg():
    chance = random.Random(30)  # noqa: S311
    whole = [_file("JPEG"), _file("PNG"), _file("WEBP"), _file("GIF", mode="P")]
    for _ in range(1500):
        broken = bytearray(chance.choice(whole))
        for _ in range(chance.choice((1, 2, 8))):
            broken[chance.randrange(min(len(broken), 200))] = chance.randrange(256)
        try:
            made = reencode(bytes(broken))
        except PictureRefused:
            continue
        assert made.startswith(b"\xff\xd8\xff")


def test_what_a_decoder_stumbles_over_is_refused_in_words(client, connection, person, monkeypatch):
    def stumble(*_given):
        raise TypeError("bad operand type for abs(): 'str'")

    monkeypatch.setattr(picture.ImageOps, "exif_transpose", stumble)
    refused = _upload(client, connection, person, _file())
    assert refused.status_code == 422
    assert "This file is not a JPEG, PNG, WebP or GIF picture." in refused.content.decode()


def test_a_large_picture_is_made_smaller():
    assert Image.open(io.BytesIO(reencode(_file(size=(3000, 1500))))).size == (1024, 512)


def test_what_is_transparent_becomes_white():
    clear = io.BytesIO()
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(clear, "PNG")
    assert Image.open(io.BytesIO(reencode(clear.getvalue()))).getpixel((4, 4)) == (255, 255, 255)


def _png(kind, depth, *samples, clear=()):
    """A picture of one colour, of a type and depth of the format, by its samples."""

    def chunk(name, data):
        return len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4)

    bits = "".join(f"{one:0{depth}b}" for one in samples) * 8
    row = b"\0" + int(bits, 2).to_bytes(len(bits) // 8)
    header = (8).to_bytes(4) * 2 + bytes([depth, kind, 0, 0, 0])
    parts = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", header)]
    if clear:
        parts.append(chunk(b"tRNS", b"".join(one.to_bytes(2) for one in clear)))
    return b"".join([*parts, chunk(b"IDAT", zlib.compress(row * 8)), chunk(b"IEND", b"")])


@pytest.mark.parametrize(("kind", "mode"), [("JPEG", "RGB"), ("PNG", "RGBA"), ("PNG", "P")])
def test_colours_are_those_of_pictures_own_profile(kind, mode):
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = profile.replace(b"rXYZ", b"____").replace(b"gXYZ", b"rXYZ").replace(b"____", b"gXYZ")
    made = io.BytesIO()
    Image.new(mode, (8, 8), "red").save(made, kind, icc_profile=swapped)
    shown = Image.open(io.BytesIO(reencode(made.getvalue()))).getpixel((4, 4))
    assert isinstance(shown, tuple)
    assert [round(each / 255) for each in shown] == [0, 1, 0], shown


GREY, COLOUR, GREY_ALPHA, COLOUR_ALPHA = 0, 2, 4, 6


@pytest.mark.parametrize("depth", [1, 2, 4, 8, 16])
def test_png_of_any_depth_comes_out_as_it_looked(depth):
    most = 2**depth - 1
    low, clear = most // 3, (most // 3,)
    grey = low * 255 / most
    expected = {
        _png(GREY, depth, low): (grey,) * 3,
        _png(GREY, depth, low, clear=clear): (255,) * 3,
    }
    expected |= {_png(GREY, depth, low, clear=(most,)): (grey,) * 3}
    if depth >= 8:
        orange = (most, low, 0)
        expected |= {
            _png(COLOUR, depth, *orange): (255, grey, 0),
            _png(COLOUR, depth, *orange, clear=orange): (255, 255, 255),
            _png(COLOUR, depth, *orange, clear=(0, low, 0)): (255, grey, 0),
            _png(GREY_ALPHA, depth, low, most): (grey,) * 3,
            _png(COLOUR_ALPHA, depth, *orange, low): (255, 255 - 170 / 3, 170),
        }
    for file, colour in expected.items():
        made = Image.open(io.BytesIO(reencode(file))).getpixel((4, 4))
        assert made == pytest.approx(colour, abs=3)


@pytest.mark.parametrize(
    ("mode", "ink", "looks"),
    [("L", 85, (85,) * 3), ("CMYK", (0, 128, 255, 0), (255, 127, 0)), ("RGB", (255, 85, 0), None)],
)
def test_jpeg_of_any_mode_comes_out_as_it_looked(mode, ink, looks):
    file = io.BytesIO()
    Image.new(mode, (8, 8), ink).save(file, "JPEG")
    made = Image.open(io.BytesIO(reencode(file.getvalue()))).getpixel((4, 4))
    assert made == pytest.approx(looks or ink, abs=4)


def test_a_picture_that_lies_on_its_side_is_set_upright():
    sideways = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (60, 40)).save(sideways, "JPEG", exif=exif)
    assert Image.open(io.BytesIO(reencode(sideways.getvalue()))).size == (40, 60)


NO_PICTURES = {
    "text": b"hello",
    "html": b"<html><script>alert(1)</script></html>",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
    "a beginning alone": b"\xff\xd8\xff\xe0" + b"\x00" * 100,
    "half a picture": _file(size=(400, 400))[:900],
    "a bitmap": _file("BMP"),
}


@pytest.mark.parametrize("content", NO_PICTURES.values(), ids=NO_PICTURES.keys())
def test_what_is_no_picture_is_refused_in_words_and_never_sent(client, connection, person, content):
    refused = _upload(client, connection, person, content)
    assert refused.status_code == 422
    assert "This file is not a JPEG, PNG, WebP or GIF picture." in refused.content.decode()
    assert not AuditEntry.objects.filter(operation="users.upload_picture").exists()


@pytest.mark.parametrize("side", [7_000, 60_000])
def test_a_picture_with_too_many_pixels_is_refused_by_its_header(side):
    small = _file("PNG")
    header = b"IHDR" + side.to_bytes(4) * 2 + small[24:29]
    bomb = small[:12] + header + zlib.crc32(header).to_bytes(4) + small[33:]
    with pytest.raises(PictureRefused, match="more than 40 million pixels"):
        reencode(bomb)


def test_a_file_that_is_too_large_and_a_missing_one_are_refused(client, connection, person):
    refused = _upload(client, connection, person, b"\0" * (picture.LARGEST_FILE + 1))
    assert "The file is larger than 5 MB." in refused.content.decode()
    missing = client.post(url(connection, person, "picture"), {})
    assert missing.status_code == 422
    assert "Choose a picture." in missing.content.decode()


def test_the_picture_is_shown_through_the_portal(client, connection, person):
    address = url(connection, person, "picture-image")
    initials = client.get(address)
    assert initials["Content-Type"] == "image/svg+xml"
    assert ">AL<" in initials.content.decode()
    _upload(client, connection, person, _file(size=(800, 800)))
    page = client.get(url(connection, person)).content.decode()
    assert f'src="{address}?v=' in page
    assert person.now()["pic_url"] not in page
    shown = client.get(address)
    assert shown["Content-Type"] == "image/jpeg"
    assert shown["Cache-Control"].startswith("private")
    assert Image.open(io.BytesIO(shown.content)).size == (256, 256)


def test_missing_picture_becomes_initials_and_is_not_refetched(client, connection, fault_server):
    data = {
        "id": "u1",
        "first_name": "Ada",
        "last_name": "Lovelace",
        "pic_url": f"http://127.0.0.1:{fault_server.port}/p.jpg",
    }
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    address = url(connection, "u1", "picture-image")
    fault_server.then(answer(200, data), answer(404), answer(200, data))
    for _ in range(2):
        assert ">AL<" in client.get(address).content.decode()
    assert [seen.path for seen in fault_server.requests].count("/p.jpg") == 1


def test_a_picture_at_an_internal_address_is_not_fetched(client, connection, fault_server):
    data = {"id": "u1", "first_name": "Ada", "pic_url": "http://169.254.169.254/latest/meta-data"}
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    fault_server.always(answer(200, data))
    assert ">A<" in client.get(url(connection, "u1", "picture-image")).content.decode()
