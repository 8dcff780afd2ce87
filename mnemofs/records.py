"""Small immutable values on the way of a hook.

What `dataclass(frozen=True)` gives, without its half millisecond a class: a dozen of them, with the
modules they pull in, would be a third of what `mnemofs search` may cost.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Self, dataclass_transform
else:

    def dataclass_transform(**_options: object) -> object:
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class Record:
    """Fields are the annotated attributes of the class, in order; values there are defaults.

    Made from positional or keyword arguments, equal by value, hashable, not to be changed.
    """

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        own = tuple(name for name in cls.__annotations__ if name[0] != "_")
        cls._fields = cls._fields + tuple(name for name in own if name not in cls._fields)

    if not TYPE_CHECKING:

        def __init__(self, *values: object, **named: object) -> None:
            fields = self._fields
            if len(values) > len(fields):
                raise TypeError(f"{type(self).__name__} takes {len(fields)} values")
            state = self.__dict__
            state.update(zip(fields, values, strict=False))
            if named:
                for name in named:
                    if name not in fields or name in state:
                        raise TypeError(f"{type(self).__name__} cannot take {name}")
                state.update(named)
            if len(state) < len(fields):
                for name in fields:
                    if name not in state and not hasattr(type(self), name):
                        raise TypeError(f"{type(self).__name__} needs {name}")

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"{type(self).__name__} is not to be changed")

    def replace(self, **values: Any) -> Self:
        """A copy in which these fields have other values."""
        return type(self)(**{**self.__dict__, **values})

    def as_tuple(self) -> tuple[Any, ...]:
        """The values in the order of the fields."""
        return tuple(getattr(self, name) for name in self._fields)

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Every field that has a default, with it."""
        return {name: getattr(cls, name) for name in cls._fields if hasattr(cls, name)}

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.as_tuple() == other.as_tuple()

    def __hash__(self) -> int:
        return hash(self.as_tuple())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({shown})"
