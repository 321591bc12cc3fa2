"""The truth rule for digits: a number that readers see is computed, or marked as given.

In prose every character that stands for a number counts: digits of any script, fullwidth digits,
superscripts and subscripts, fractions such as ½, Roman numeral characters. In mathematics integers are
notation and stay; a decimal is a result, however it is spelt (``2.4``, ``.5``, ``2{.}4``, ``\\text{2.4}``),
and so is a percentage. The words of a formula are prose.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

# Commands that change how something looks, not what it says; a decimal does not hide behind one.
_STYLE: Final = re.compile(
    r"\\(?:text(?:rm|bf|it|sf|tt|normal|md|up)?|math(?:rm|bf|it|sf|tt|bb|cal|frak|scr|normal|ord|punct|bin|rel|op|"
    r"open|close|inner)|bm|boldsymbol|mbox|hbox|operatorname\*?|rm|bf|it|sf|tt|cal|displaystyle|textstyle|"
    r"scriptstyle|thinspace|negthinspace|nobreak|allowbreak|phantom|hphantom|smash|llap|rlap|clap|mathllap|"
    r"mathrlap|mathclap|boxed|fbox|tiny|small|normalsize|large|Large|LARGE|huge|Huge|footnotesize|scriptsize|"
    r"relax|strut|mathstrut|vphantom)(?![a-zA-Z])"
)
_SPACE: Final = re.compile(r"\\[,!;:> /]|[~\s]")
_POINTS: Final = str.maketrans(dict.fromkeys(".․．｡。٫ꓸ܁܂⸳", "."))
_NO_DELIMITER: Final = re.compile(r"\\(?:left|right|middle|[bB]igg?[lrm]?)(?![a-zA-Z])\s*\.")
_WORDS: Final = re.compile(r"\\(?:text[a-z]*|mbox|hbox|emph)(?![a-zA-Z])\s*\{([^{}]*)\}")
_PERCENT: Final = re.compile(r"\d[\d{}]*\\?[%‰]|\\value\{[^{}]*\}[{}]*\\?[%‰]")
_TOUCHING: Final = re.compile(r"[0-9.][{}]*\\value\{[^{}]*\}|\\value\{[^{}]*\}[{}]*(?:[0-9]|\\value)")
_DECIMAL: Final = re.compile(r"\d*[{}]*(?:\.[{}]*)+\d+(?:\.\d+)*")
_BRACED_COMMA: Final = re.compile(r"\d\{+,\}+\d")
_VALUE: Final = re.compile(r"\\value\s*\{[^{}]*\}")
CODE_POINTS: Final = re.compile(r"\\(?:char|symbol|unicode|U|u)(?![a-zA-Z])|\^\^")


def first_digit(text: str) -> str | None:
    """Return the first run of characters that stand for a number, such as ``2.4``, or None."""
    return next(digit_runs(text), None)


def digit_runs(text: str) -> Iterator[str]:
    """Yield every run of characters that stand for a number, with points and commas inside it."""
    start = 0
    while start < len(text):
        end = start
        while end < len(text) and _goes_on(text, start, end):
            end += 1
        if end > start:
            yield text[start:end]
        start = end + 1


def _goes_on(text: str, start: int, at: int) -> bool:
    if stands_for_number(text[at]):
        return True
    return at > start and text[at] in ".,/" and at + 1 < len(text) and stands_for_number(text[at + 1])


def stands_for_number(character: str) -> bool:
    """Whether a character is a digit, a fraction, a numeral or a superscript number in any script."""
    if character.isascii():
        return character.isdigit()
    return unicodedata.category(character).startswith("N") or unicodedata.numeric(character, None) is not None


def decimal_in_math(tex: str) -> str | None:
    """Return the first decimal number typed in TeX, in its plain spelling, or None."""
    bare = _SPACE.sub("", _STYLE.sub("", tex))
    for part in (_PERCENT.search(bare), _TOUCHING.search(bare)):
        if part:
            return part.group()
    plain = _NO_DELIMITER.sub("", _VALUE.sub("v", tex))
    if words := next((words for words in _WORDS.findall(plain) if first_digit(words)), None):
        return first_digit(words)
    spaced = _SPACE.sub("", _STYLE.sub("", plain))
    if comma := _BRACED_COMMA.search(spaced):
        return re.sub(r"[{}]", "", comma.group())
    foreign = next((c for c in plain if stands_for_number(c) and not c.isascii()), None)
    if foreign is not None:
        return foreign
    found = _DECIMAL.search(spaced.replace(r"\ldotp", ".").translate(_POINTS))
    return re.sub(r"[{}]", "", found.group()) if found else None
