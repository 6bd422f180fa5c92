"""The pages of the reference: an index that can be searched, and one for each subject, operation and shape."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from games.web.reference.reading import Operation, Reference, Shape, Subject


@dataclass(frozen=True, slots=True)
class ReferencePage:
    """A page of the reference; what it does not show is None."""

    version: str
    contents: tuple[Subject, ...]
    """All subjects, for the contents."""
    subjects: tuple[Subject, ...] = ()
    shapes: tuple[str, ...] = ()
    wanted: str = ""
    subject: Subject | None = None
    operation: Operation | None = None
    before: Operation | None = None
    after: Operation | None = None
    shape: Shape | None = None
    used_by: tuple[Operation, ...] = ()


def index_page(reference: Reference, wanted: str = "") -> ReferencePage:
    """Return the index, or what of it has all of some words."""
    words = wanted.casefold().split()
    kept = (replace(subject, operations=_with(subject, words)) for subject in reference.subjects)
    shapes = tuple(name for name in reference.shapes if all(word in name.casefold() for word in words))
    subjects = tuple(subject for subject in kept if subject.operations)
    return ReferencePage(reference.version, reference.subjects, subjects, shapes, wanted)


def _with(subject: Subject, words: list[str]) -> tuple[Operation, ...]:
    about = f"{subject.name} {subject.title}"
    return tuple(one for one in subject.operations if all(word in _text_of(one, about) for word in words))


def _text_of(operation: Operation, about: str) -> str:
    return f"{about} {operation.method} {operation.path} {operation.id} {operation.said}".casefold()


def subject_page(reference: Reference, name: str) -> ReferencePage:
    """Return the page of a subject.

    :raises KeyError: when there is none of that name.
    """
    subject = {one.name: one for one in reference.subjects}[name]
    return ReferencePage(reference.version, reference.subjects, (subject,), subject=subject)


def operation_page(reference: Reference, name: str, operation: str) -> ReferencePage:
    """Return the page of an operation, with its neighbours in the whole reference.

    :raises KeyError: when its subject has none of that name.
    """
    page = subject_page(reference, name)
    every = [None, *(one for subject in reference.subjects for one in subject.operations), None]
    around = {one.id: (before, after) for (before, one), (_, after) in pairwise(pairwise(every)) if one}
    found = {one.id: one for one in page.subjects[0].operations}[operation]
    before, after = around[operation]
    return replace(page, operation=found, before=before, after=after)


def shapes_page(reference: Reference) -> ReferencePage:
    """Return the page that lists all shapes."""
    return ReferencePage(reference.version, reference.subjects, shapes=tuple(reference.shapes))


def shape_page(reference: Reference, name: str) -> ReferencePage:
    """Return the page of a shape, with the operations that use it.

    :raises KeyError: when there is none of that name.
    """
    shape = reference.shapes[name]
    used_by = tuple(_operations(reference)[one] for one in shape.used_by)
    return ReferencePage(reference.version, reference.subjects, shape=shape, used_by=used_by)


def _operations(reference: Reference) -> Mapping[str, Operation]:
    return {one.id: one for subject in reference.subjects for one in subject.operations}
