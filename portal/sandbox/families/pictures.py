"""Profile pictures (spec 4.4): stored as they come, and public at their address."""

from io import BytesIO

from portal.contract.users import Picture as PictureForm, Users
from portal.sandbox.errors import NotFound, WrongMethod, invalid
from portal.sandbox.families.lookup import user_called
from portal.sandbox.http import Answer, Created, Request
from portal.sandbox.models import Picture
from portal.sandbox.serving import serves

_MOST_PIXELS = 40_000_000


@serves(Users.upload_picture)
def upload_picture(user_id: str, body: PictureForm) -> Created:
    user = user_called(user_id)
    _check_jpeg(body.pic_file)
    Picture.objects.filter(user=user).delete()
    picture = Picture.objects.create(user=user, content=body.pic_file)
    return Created(f"/pictures/{picture.key}")


def picture_url(request: Request, key: str | None) -> str:
    """Returns the address of the picture with this key; empty for a person without one."""
    return f"{request.site}/pictures/{key}" if key else ""


def show_picture(method: str, key: str) -> Answer:
    """Answers `/pictures/<key>`, which is no operation and needs no token."""
    if method != "GET":
        raise WrongMethod(["GET"])
    content = None
    if "\0" not in key:
        content = Picture.objects.filter(key=key).values_list("content", flat=True).first()
    if content is None:
        raise NotFound("picture")
    return Answer(200, bytes(content), "image/jpeg")


def _check_jpeg(content: bytes) -> None:
    from PIL import Image  # noqa: PLC0415 - large, and most sandboxes never see a picture

    try:
        with Image.open(BytesIO(content), formats=["JPEG"]) as image:
            if image.width * image.height > _MOST_PIXELS:
                raise invalid("pic_file", "Choose a smaller picture.")
            image.load()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise invalid("pic_file", "Choose a JPEG picture.") from None
