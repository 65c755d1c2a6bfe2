"""Options: how they are announced, and how their values are read."""

from __future__ import annotations

from collections.abc import Iterable

from thudstone.engine.game import Game, Option, OptionValue
from thudstone.protocol.number import whole
from thudstone.protocol.refusal import Refusal, plain, quoted


def announcement(option: Option) -> str:
    """The `option` line of a handshake."""
    words = [f"option name {option.name} type {option.type}"]
    match option.type:
        case "spin":
            words.append(f"default {option.default} min {option.low} max {option.high}")
        case "check":
            words.append(f"default {'true' if option.default else 'false'}")
        case "combo":
            words.append(f"default {option.default}")
            words.extend(f"var {choice}" for choice in option.choices)
        case "string":
            words.append(f"default {option.default or '<empty>'}")
        case "button":
            pass
    return " ".join(words)


def split(words: list[bytes]) -> tuple[str, list[bytes] | None]:
    """What follows `setoption`: the name, and the words of the value (None without the word `value`)."""
    if not words or words[0] != b"name":
        raise Refusal("setoption: 'name' expected")
    value = words.index(b"value") if b"value" in words else None
    name = words[1:value]
    if not name:
        raise Refusal("setoption: the name is missing")
    if len(name) > 8:  # longer than any; and it must not become a text of megabytes
        raise Refusal(f"setoption: no option is called {quoted(name)}")
    return b" ".join(name).decode("ascii", "backslashreplace"), None if value is None else words[value + 1 :]


def parse(option: Option, words: list[bytes] | None) -> OptionValue | None:
    """The value in the option's type and range; None for a button. Refusal says what it can be."""
    if option.type == "button":
        if words:
            raise Refusal("a button has no value")
        return None
    if words is None:
        raise Refusal("'value' expected")
    text = b" ".join(words).decode("ascii", "backslashreplace")
    value: OptionValue = text
    if option.type == "spin":
        number = whole(words[0]) if len(words) == 1 else None
        value = text if number is None else number
        wanted = f"a number from {option.low} to {option.high}"
    elif option.type == "check":
        value = {"true": True, "false": False}.get(text.lower(), text)
        wanted = "true or false"
    elif option.type == "combo":
        value = next((choice for choice in option.choices if choice.lower() == text.lower()), text)
        wanted = f"one of {', '.join(option.choices)}"
    else:
        # The name of a file may hold any letters.
        return "" if text == "<empty>" else b" ".join(words).decode("utf-8", "surrogateescape")
    if not fits(option, value):
        raise Refusal(f"{quoted(words)} is not {wanted}")
    return value


def fits(option: Option, value: OptionValue) -> bool:
    """Whether a value is of the option's type and in its range."""
    match option.type:
        case "spin":
            return type(value) is int and option.low <= value <= option.high
        case "check":
            return isinstance(value, bool)
        case "combo":
            return value in option.choices
        case "string":
            return isinstance(value, str)
        case "button":
            return False


def chosen(game: type[Game], given: Iterable[tuple[str, str]]) -> dict[str, OptionValue]:
    """Every option of a game with its value; `given` are names and texts. Refusal names the option."""
    values: dict[str, OptionValue] = {option.name: option.default for option in game.options}
    known = {option.name.lower(): option for option in game.options}
    for name, text in given:
        option = known.get(name.lower())
        if option is None:
            raise Refusal(f"{game.name} has no option {plain(name)}")
        if option.type == "string":
            values[option.name] = text
            continue
        try:
            value = parse(option, text.encode("utf-8").split())
        except Refusal as error:
            raise Refusal(f"{option.name}: {error}") from None
        assert value is not None, "games have no buttons"
        values[option.name] = value
    return values
