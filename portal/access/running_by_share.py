"""Lists the rules, mails and jobs that run by a share while its holder is away.

Each room says what there is of its own, in words. Whatever it is, it is done within the scope that
its holder has when it runs: a share that is limited narrows it, one that ends ends it.
"""

from collections.abc import Callable, Iterable

from portal.access.models import Connection, Share, User

Running = Callable[[Connection, User], Iterable[str]]

_reads: list[Running] = []


def register(*reads: Running) -> None:
    """Asks these too from now on."""
    _reads.extend(reads)


def running_by(share: Share) -> list[str]:
    """Returns what runs by the share now, each in words."""
    return [words for read in _reads for words in read(share.connection, share.user)]
