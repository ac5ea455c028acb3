"""An OpenAPI document as one HTML page without scripts."""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_METHODS = ("get", "post", "put", "patch", "delete")
_SCHEMAS = "#/components/schemas/"
_LIMITS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minimum": "from {}",
    "maximum": "up to {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "like {}",
    "default": "default {}",
}


def written(document: Json) -> str:
    """Returns the whole page; operations are grouped by their families."""
    info = document["info"]
    shell = Path(__file__).with_name("reading_page.html").read_text()
    for mark, text in {
        "title": escape(info["title"]),
        "version": escape(info["version"]),
        "description": escape(info["description"]),
        "server": escape(document["servers"][0]["url"]),
        "families": "".join(_entry(tag["name"]) for tag in document["tags"]),
        "operations": "".join(_family(tag, document) for tag in document["tags"]),
        "objects": "".join(
            _object(name, schema)
            for name, schema in sorted(document["components"]["schemas"].items())
        ),
    }.items():
        shell = shell.replace(f"<!-- {mark} -->", text)
    return shell


def _entry(family: str) -> str:
    return f'<li><a href="#{_anchor(family)}">{escape(family)}</a></li>'


def _family(tag: Json, document: Json) -> str:
    operations = "".join(
        _operation(path, method, item[method], document)
        for path, item in document["paths"].items()
        for method in _METHODS
        if method in item and tag["name"] in item[method]["tags"]
    )
    heading = f"<h2>{escape(tag['name'])}</h2><p>{escape(tag['description'] or '')}</p>"
    return f'<section id="{_anchor(tag["name"])}">{heading}{operations}</section>'


def _operation(path: str, method: str, operation: Json, document: Json) -> str:
    name = escape(operation["operationId"])
    said = [escape(operation.get("description", ""))]
    if operation.get("deprecated"):
        said.append("Deprecated.")
    summary = (
        f'<b class="{method}">{method.upper()}</b> <code>{escape(path)}</code> '
        f"<span>{escape(operation['summary'])}</span>"
    )
    remark = " ".join(each for each in said if each)
    content = (
        f"{f'<p>{remark}</p>' if remark else ''}{_parameters(operation['parameters'])}"
        f"{_body(operation, document)}{_answers(operation['responses'], document)}"
    )
    return _opening(name, summary, content)


def _opening(anchor: str, summary: str, content: str) -> str:
    """Returns a `details` element with the anchor inside, so that browsers open the target of a
    link."""
    return (
        f'<details><summary>{summary}</summary><div id="{anchor}" class="within">{content}</div>'
        "</details>"
    )


def _parameters(parameters: list[Json]) -> str:
    if not parameters:
        return ""
    rows = (
        _row(
            each["name"], each["schema"], each.get("description", ""), is_required=each["required"]
        )
        for each in parameters
    )
    return f"<h3>Parameters</h3>{_table(rows)}"


def _body(operation: Json, document: Json) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    return "".join(
        f"<h3>Body</h3><p>{_kind(each['schema'])} as <code>{escape(media_type)}</code></p>"
        f"{_fields(document['components']['schemas'][each['schema']['$ref'].rpartition('/')[2]])}"
        for media_type, each in content.items()
    )


def _answers(responses: Json, document: Json) -> str:
    lines = []
    for status, given in responses.items():
        answer = given
        if "$ref" in given:
            answer = document["components"]["responses"][given["$ref"].rpartition("/")[2]]
        schema = answer.get("content", {}).get("application/json", {}).get("schema")
        kind = f" {_kind(schema)}" if schema else ""
        lines.append(f"<dt>{escape(status)}</dt><dd>{escape(answer['description'])}{kind}</dd>")
    return f"<h3>Answers</h3><dl>{''.join(lines)}</dl>"


def _object(name: str, schema: Json) -> str:
    said = escape(schema.get("description", ""))
    content = f"{f'<p>{said}</p>' if said else ''}{_fields(schema)}"
    return _opening(f"object-{escape(name)}", f"<code>{escape(name)}</code>", content)


def _fields(schema: Json) -> str:
    if "properties" not in schema:
        return f"<p>{_kind(schema)}</p>"
    required = schema.get("required", ())
    return _table(
        _row(field, each, each.get("description", ""), is_required=field in required)
        for field, each in schema["properties"].items()
    )


def _table(rows: Iterator[str]) -> str:
    heads = "<tr><th>Name</th><th>Type</th><th>What it is</th></tr>"
    return f"<table><thead>{heads}</thead><tbody>{''.join(rows)}</tbody></table>"


def _row(name: str, schema: Json, description: str, *, is_required: bool) -> str:
    mark = " <em>required</em>" if is_required else ""
    limits = "; ".join(_limits(schema))
    return (
        f"<tr><td><code>{escape(name)}</code>{mark}</td><td>{_kind(schema)}"
        f"<small>{limits}</small></td><td>{escape(description)}</td></tr>"
    )


def _kind(schema: Json) -> str:
    """Returns the type in words, with a link if it is an object of its own."""
    if "$ref" in schema:
        name = escape(schema["$ref"].removeprefix(_SCHEMAS))
        return f'<a href="#object-{name}">{name}</a>'
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " ".join(f"<code>{escape(str(each))}</code>" for each in values)
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            kinds = [_kind(each) for each in schema[union] if each.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return escape(str(schema.get("format") or schema.get("type", "anything")))


def _limits(schema: Json) -> Iterator[str]:
    for inner in (schema, *schema.get("anyOf", ())):
        for name, words in _LIMITS.items():
            value = inner.get(name)
            if value not in (None, "", [], {}):
                shown = value if isinstance(value, str) else json.dumps(value)
                yield words.format(f"<code>{escape(shown)}</code>")


def _anchor(text: str) -> str:
    return "".join(each if each.isalnum() else "-" for each in text.lower())
