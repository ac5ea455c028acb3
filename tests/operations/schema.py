"""What a database consists of, so that two can be compared."""

import re
from typing import Any

from django.db import connection as database

# Of each table: columns, constraints, indexes, triggers and the sequence of its keys.
_POSTGRESQL = (
    """
    SELECT table_name, column_name, data_type, character_maximum_length, numeric_precision,
        is_nullable, column_default, is_identity, identity_generation
    FROM information_schema.columns WHERE table_schema = 'public'
    """,
    """
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    """,
    "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal",
    "SELECT sequencename, data_type::text FROM pg_sequences WHERE schemaname = 'public'",
    "SELECT 'extension', extname FROM pg_extension",
)
_SQLITE = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
_COMMA = re.compile(r",\s*(?![^()]*\))")  # not within parentheses


def schema() -> list[list[str]]:
    """Returns columns, constraints and indexes of all tables, in no order of the database's."""
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            found = [row for query in _POSTGRESQL for row in _rows(cursor, query)]
        else:
            found = [
                (name, words) for name, sql in _rows(cursor, _SQLITE) for words in _definitions(sql)
            ]
    return sorted([str(value) for value in row] for row in found)


def _rows(cursor: Any, query: str) -> list[tuple[Any, ...]]:
    cursor.execute(query)
    rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _definitions(sql: str) -> list[str]:
    """Returns the columns and constraints of a table by themselves, an index as it is."""
    begin, _, rest = sql.partition("(")
    if not begin.startswith("CREATE TABLE"):
        return [sql]
    return _COMMA.split(rest.rpartition(")")[0])
