"""One mail through the mail server of the settings, and whether it left."""

from contextlib import suppress
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException

from django.core.mail import BadHeaderError, get_connection

from portal.access.mails import mail
from portal.translation import gettext as _


class MailNotSent(Exception):
    """The mail did not leave; the text says why."""


class PerhapsSent(Exception):
    """Nobody knows whether the mail left; the text says what happened."""


def send(address: str, subject: str, text: str) -> None:
    """Sends a mail. Raises `MailNotSent` and `PerhapsSent`."""
    server = get_connection()
    try:
        server.open()
    except (SMTPException, OSError) as error:
        raise MailNotSent(
            _("The mail server cannot be reached: %(words)s.") % {"words": _words(error)}
        ) from None
    try:
        mail(subject, text, address, server=server).send()
    except SMTPRecipientsRefused as error:
        said = next(iter(error.recipients.values()), (0, b""))
        raise MailNotSent(
            _("The mail server rejected the address %(address)s: %(answer)s.")
            % {"address": address, "answer": _answer(*said)}
        ) from None
    except SMTPResponseException as error:
        answer = _answer(error.smtp_code, error.smtp_error)
        raise MailNotSent(
            _("The mail server rejected the email: %(answer)s.") % {"answer": answer}
        ) from None
    except BadHeaderError:
        raise MailNotSent(_("The email address is not valid.")) from None
    except (SMTPException, OSError) as error:
        words = _(
            "The connection to the mail server was lost while the email was sent: %(words)s."
        ) % {"words": _words(error)}
        raise PerhapsSent(_("%(words)s It may have been sent.") % {"words": words}) from None
    finally:
        with suppress(SMTPException, OSError):
            server.close()


def _answer(code: int, said: bytes | str) -> str:
    text = said.decode(errors="replace") if isinstance(said, bytes) else said
    return " ".join(f"{code} {text}".split()).removesuffix(".")


def _words(error: Exception) -> str:
    return " ".join(str(error).split()).removesuffix(".") or type(error).__name__
