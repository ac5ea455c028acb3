"""Documents on the wire: JSON, or XML on request (spec 1, rule 3)."""

import re
from typing import Any
from xml.etree import ElementTree

import orjson
from django.http.request import MediaType

from portal.contract.model import Model
from portal.sandbox.errors import ServiceError
from portal.sandbox.http import Answer

_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def dump_model(model: Model) -> bytes:
    """Returns an answer as JSON without empty fields."""
    return model.model_dump_json(by_alias=True, exclude_none=True).encode()


def refusal(error: ServiceError) -> Answer:
    return Answer(error.status, orjson.dumps(error.document()), headers=error.headers)


def prefers_xml(accept: str) -> bool:
    """Returns whether the client prefers XML to JSON; JSON is the default."""
    if "xml" not in accept:
        return False
    try:
        return _quality(accept, "application/xml") > _quality(accept, "application/json")
    except ValueError:
        return False


def _quality(accept: str, media_type: str) -> float:
    matching = [each for part in accept.split(",") if (each := MediaType(part)).match(media_type)]
    best = max(matching, key=lambda each: each.specificity, default=None)
    return best.quality if best else 0.0


def to_xml(document: bytes) -> bytes:
    """Returns XML: `{"groups": [{"id": "a"}]}` as `<response><groups><item><id>a</id></item>…`."""
    root = ElementTree.Element("response")
    _fill(root, orjson.loads(document))
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _fill(element: ElementTree.Element, value: Any) -> None:
    if isinstance(value, dict):
        for name, item in value.items():
            _fill(ElementTree.SubElement(element, name), item)
    elif isinstance(value, list):
        for item in value:
            _fill(ElementTree.SubElement(element, "item"), item)
    elif isinstance(value, bool):
        element.text = str(value).lower()
    elif value is not None:
        element.text = _NOT_XML.sub("\ufffd", str(value))
