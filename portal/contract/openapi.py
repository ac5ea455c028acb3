"""The interface as an OpenAPI 3.1 document, made from its operations and models."""

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import Field
from pydantic.json_schema import models_json_schema

from portal.contract import FAMILIES, operations
from portal.contract.model import Model
from portal.contract.operation import AnyOperation, Effect, PagingKind
from portal.contract.path import PathParameter

Schema = dict[str, Any]
_SCHEMAS = "#/components/schemas/"
_SCHEMES = {
    "global": {
        "type": "apiKey",
        "in": "query",
        "name": "access_token",
        "description": "The key that every operation needs.",
    },
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The same key in the `Authorization` header; either suffices.",
    },
}
_REFUSALS = {
    "300": "Reports are only kept for the recent 6 months.",
    "400": "The input breaks the interface; each broken field is named.",
    "401": "The access token is missing or not valid.",
    "404": "The object addressed does not exist.",
    "409": "Another object has this email or name.",
    "413": "The body is too large.",
    "415": "The body is of another type than the operation takes.",
    "429": "Too many requests were sent.",
    "default": "The request is refused for another reason.",
}
_PAGING = {
    PagingKind.BY_NUMBER: "Paged by `page_number`.",
    PagingKind.BY_TOKEN: "Paged by `next_page_token`, which is valid for 15 minutes.",
}


class RefusedField(Model):
    field: str = Field(title="Field", description="Its dotted name, such as user_info.email.")
    message: str = Field(title="Message", description="What to do about it.")


class Refusal(Model):
    code: int = Field(title="Code", description="The HTTP status.")
    message: str = Field(title="Message", description="What is wrong.")
    errors: list[RefusedField] = Field(
        default_factory=list, title="Fields", description="Each broken field of the input."
    )


# untranslated: the document is read by developers and programs


def document(server: str = "/v2") -> dict[str, object]:
    """Returns the whole document; `server` is the address that all paths are relative to."""
    schemas = _Schemas()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Conferencing Management Service",
            "version": "2.0.0",
            "description": "Accounts, people, groups, meetings, webinars, recordings, dashboards "
            "and reports of a video-conferencing service.",
        },
        "servers": [{"url": server}],
        "security": [{name: []} for name in _SCHEMES],
        "tags": [{"name": each.title, "description": each.__doc__} for each in FAMILIES],
        "paths": _paths(schemas),
        "components": {
            "schemas": schemas.shared(),
            "responses": {_response_name(status): _refusal(status) for status in _REFUSALS},
            "securitySchemes": _SCHEMES,
        },
    }


class _Schemas:
    """The JSON schemas of all models, each under a name of its own."""

    def __init__(self) -> None:
        self._queries = {one.query for one in operations() if one.query}
        self._bodies = {one.body for one in operations() if one.body}
        answers = {one.returns for one in operations() if one.returns} | {Refusal}
        models = sorted(self._queries | self._bodies | answers, key=lambda model: model.__name__)
        schemas, definitions = models_json_schema(
            [(model, "validation") for model in models], ref_template=f"{_SCHEMAS}{{model}}"
        )
        self._references = {model: schemas[model, "validation"]["$ref"] for model in models}
        self._definitions: dict[str, Schema] = definitions["$defs"]

    def reference(self, model: type[Model]) -> Schema:
        return {"$ref": self._references[model]}

    def properties(self, model: type[Model]) -> Iterator[tuple[str, Schema, bool]]:
        """Yields the fields of a query with their schemas, and whether they are required."""
        definition = self._definitions[self._name(model)]
        for name, schema in definition["properties"].items():
            yield name, _without_null(schema), name in definition.get("required", ())

    def shared(self) -> dict[str, Schema]:
        """Returns the schemas of bodies and answers. Unknown fields of a body are ignored."""
        queries = {self._name(model) for model in self._queries}
        sent = self._reached({self._name(model) for model in self._bodies})
        return {
            name: _open(schema) if name in sent else schema
            for name, schema in self._definitions.items()
            if name not in queries
        }

    def _name(self, model: type[Model]) -> str:
        return str(self._references[model]).removeprefix(_SCHEMAS)

    def _reached(self, names: set[str]) -> set[str]:
        reached: set[str] = set()
        while names:
            reached |= names
            names = {to for name in names for to in _refers(self._definitions[name])} - reached
        return reached


def _paths(schemas: _Schemas) -> dict[str, dict[str, Any]]:
    paths: dict[str, dict[str, object]] = {}
    for one in operations():
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, schemas)
    return paths


def _operation(one: AnyOperation, schemas: _Schemas) -> dict[str, object]:
    described: dict[str, object] = {
        "operationId": one.name,
        "tags": [family.title for family in FAMILIES if family.name == one.family],
        "summary": one.summary,
        "parameters": [_path_parameter(each) for each in one.ids]
        + list(_query_parameters(one, schemas)),
        "responses": _responses(one, schemas),
        "x-effect": one.effect.value,
    }
    if one.pages:
        described["description"] = _PAGING[one.pages.kind]
    elif one.effect is Effect.DESTRUCTIVE:
        described["description"] = "There may be no way back."
    if one.body:
        content = {one.body.content_type: {"schema": schemas.reference(one.body)}}
        described["requestBody"] = {"required": True, "content": content}
    if one.deprecated:
        described["deprecated"] = True
    return described


def _path_parameter(parameter: PathParameter) -> dict[str, object]:
    is_number = parameter.kind is int
    return {
        "name": parameter.name,
        "in": "path",
        "required": True,
        "description": parameter.description,
        "schema": {"type": "integer", "format": "int64", "minimum": 0}
        if is_number
        else {"type": "string", "minLength": 1},
    }


def _query_parameters(one: AnyOperation, schemas: _Schemas) -> Iterator[dict[str, Any]]:
    for name, schema, is_required in schemas.properties(one.query) if one.query else ():
        schema.pop("title", None)
        yield {
            "name": name,
            "in": "query",
            "required": is_required,
            "description": schema.pop("description", ""),
            "schema": schema,
        }


def _responses(one: AnyOperation, schemas: _Schemas) -> dict[str, Any]:
    success: dict[str, object] = {"description": "Created." if one.status == 201 else "Done."}
    if one.locates:
        success["headers"] = {
            "Content-Location": {
                "description": "Where the created object is.",
                "schema": {"type": "string"},
            }
        }
    if one.returns:
        answer = {"schema": schemas.reference(one.returns)}
        success["content"] = {"application/json": answer, "application/xml": {}}
    return {str(one.status): success} | {
        status: {"$ref": f"#/components/responses/{_response_name(status)}"}
        for status in (*map(str, one.refusals), "default")
    }


def _response_name(status: str) -> str:
    return f"Refused{status.capitalize()}"


def _refusal(status: str) -> dict[str, object]:
    response: dict[str, object] = {
        "description": _REFUSALS[status],
        "content": {
            "application/json": {"schema": {"$ref": f"{_SCHEMAS}{Refusal.__name__}"}},
            "application/xml": {},
        },
    }
    if status == "429":
        response["headers"] = {
            "Retry-After": {
                "description": "Seconds to wait.",
                "schema": {"type": "integer", "minimum": 0},
            }
        }
    return response


def _without_null(schema: Schema) -> Schema:
    """Returns the schema without null: a parameter that is not given is left out."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    others = {name: value for name, value in schema.items() if name != "anyOf"}
    if others.get("default", "") is None:
        del others["default"]
    return {**kinds[0], **others} if len(kinds) == 1 else {**schema, **others}


def _open(schema: Schema) -> Schema:
    return {name: value for name, value in schema.items() if name != "additionalProperties"}


def _refers(value: object) -> Iterator[str]:
    """Yields the names that a schema refers to."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].removeprefix(_SCHEMAS)
        yield from _all_refers(value.values())
    elif isinstance(value, list):
        yield from _all_refers(value)


def _all_refers(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        yield from _refers(value)
