"""Migrations that fold again what is searched, where it was stored before searches were folded."""

from typing import Any

from django.db import migrations

from portal.translation.folding import folded

_NOT_ASCII = "[^\x01-\x7f]"
_BATCH = 500


def fold_stored(model: str, field: str) -> migrations.RunPython:
    """An operation that folds a field of the rows that hold more than ASCII."""

    def fold(apps: Any, _editor: Any) -> None:
        kind = apps.get_model(model)
        found = kind.objects.filter(**{f"{field}__regex": _NOT_ASCII}).only("pk", field)
        batch = []
        for row in found.iterator(_BATCH):
            setattr(row, field, folded(getattr(row, field)))
            batch.append(row)
            if len(batch) == _BATCH:
                kind.objects.bulk_update(batch, [field])
                batch = []
        kind.objects.bulk_update(batch, [field])

    return migrations.RunPython(fold, migrations.RunPython.noop, elidable=True)
