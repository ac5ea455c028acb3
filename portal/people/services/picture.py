"""Profile pictures: sent and shown is only a JPEG that this portal made itself (promise 30)."""

import io
from base64 import b64decode, b64encode

from PIL import Image, ImageCms, ImageOps

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import AddressPolicy, Api
from portal.client.transport import NoPicture, fetch_picture
from portal.config import cache
from portal.contract.users import Picture
from portal.people.services.person import PersonRecord, refresh_person
from portal.translation import gettext as _, gettext_lazy

LARGEST_FILE = 5 * 1024 * 1024
MOST_PIXELS = 40_000_000
SENT_SIDE = 1024
SHOWN_SIDE = 256
_CACHED_FOR = 24 * 60 * 60
_MISSING_CACHED_FOR = 60
_TOO_MANY_PIXELS = gettext_lazy("The picture has more than 40 million pixels.")
_PNG_DEPTH = 24  # where it stands in a file: that of the first chunk, which is the header
_MODES = {"GRAY": "L", "CMYK": "CMYK"}  # of pictures, by the colours of a profile
READ = ("JPEG", "PNG", "WEBP", "GIF")


class PictureRefused(ValueError):
    """The file cannot become a profile picture; the text is the reason."""


def reencode(content: bytes, side: int = SENT_SIDE) -> bytes:
    """Returns a JPEG of the picture's pixels, without metadata, at most `side` wide and high."""
    try:
        # The size stands in the header and is checked before a pixel is unpacked.
        with Image.open(io.BytesIO(content), formats=READ) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise PictureRefused(_TOO_MANY_PIXELS)
            picture.draft("RGB", (side, side))
            depth = content[_PNG_DEPTH] if picture.format == "PNG" else 8
            upright = _in_eight_bits(ImageOps.exif_transpose(picture), depth)
            if upright.mode != "CMYK":
                upright = _in_full_colour(upright)
            upright.thumbnail((side, side))
            return _jpeg(_on_white(_in_srgb(upright, picture.info.get("icc_profile"))))
    except PictureRefused:
        raise
    except Image.DecompressionBombError:
        raise PictureRefused(_TOO_MANY_PIXELS) from None
    except Exception:  # decoders answer a broken file with whatever they stumble over
        raise PictureRefused(_("This file is not a JPEG, PNG, WebP or GIF picture.")) from None


def _in_eight_bits(picture: Image.Image, depth: int) -> Image.Image:
    """Returns the picture with what has another depth scaled, which a conversion alone would cut
    off; the transparent grey or colour of a PNG too, which is read as it was written."""
    clear = picture.info.get("transparency")
    if picture.mode.startswith("I"):
        picture = picture.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    if picture.mode == "L" and isinstance(clear, int):
        picture.info["transparency"] = clear * 255 // (2**depth - 1)
    elif picture.mode == "RGB" and isinstance(clear, tuple) and depth == 16:
        picture.info["transparency"] = tuple(value >> 8 for value in clear)
    return picture


def _in_srgb(picture: Image.Image, profile: bytes | None) -> Image.Image:
    """Returns the picture with the colours that its own profile means, in full colour; as they are
    where it has none that fits."""
    usual = _in_full_colour(picture)
    try:
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile or b""))
        mode = _MODES.get(own.profile.xcolor_space.strip(), "RGB")
        if mode == "CMYK" and picture.mode != mode:
            return usual
        plain = picture if mode == picture.mode else usual.convert(mode)
        seen = ImageCms.profileToProfile(
            plain, own, ImageCms.createProfile("sRGB"), outputMode="RGB"
        )
    except (ImageCms.PyCMSError, OSError):
        return usual
    if seen and usual.mode == "RGBA":
        seen.putalpha(usual.getchannel("A"))
    return seen or usual


def _in_full_colour(picture: Image.Image) -> Image.Image:
    return picture.convert("RGBA" if picture.has_transparency_data else "RGB")


def _on_white(picture: Image.Image) -> Image.Image:
    if picture.mode == "RGB":
        return picture
    ground = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(ground, picture).convert("RGB")


def _jpeg(picture: Image.Image) -> bytes:
    # A new image carries nothing of the old file's EXIF, comments or colour profile.
    bare = Image.new("RGB", picture.size)
    bare.paste(picture)
    made = io.BytesIO()
    bare.save(made, "JPEG", quality=88, optimize=True)
    return made.getvalue()


def upload(api: Api, scope: Scope, user_id: str, jpeg: bytes) -> None:
    api.users.upload_picture(user_id, Picture(pic_file=jpeg))
    refresh_person(api, scope, user_id)


def shown(connection: Connection, person: PersonRecord, policy: AddressPolicy) -> bytes | None:
    """Returns the person's picture as a small JPEG, or None where there is none that can be shown.

    It is fetched under the address policy, re-encoded, and kept for a day.
    """
    if not person.picture_version:
        return None
    key = f"picture:{connection.key}:{person.picture_version}"
    cached: str | None = cache.get(key)
    if cached is not None:
        return b64decode(cached) or None
    jpeg = _fetch(person.details.pic_url, policy)
    cache.set(key, b64encode(jpeg).decode(), _CACHED_FOR if jpeg else _MISSING_CACHED_FOR)
    return jpeg or None


def _fetch(address: str, policy: AddressPolicy) -> bytes:
    try:
        _media_type, content = fetch_picture(address, policy)
        return reencode(content, SHOWN_SIDE)
    except (NoPicture, PictureRefused):
        return b""
