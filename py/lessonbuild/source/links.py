"""Where a link may lead: the web, an anchor of this lesson, or a page that the site has."""

import re
from typing import Final
from urllib.parse import urlsplit

from lessonbuild.errors import Fault, did_you_mean, quoted
from lessonbuild.source.draft import Draft

_SITE_PAGES: Final = ("../index.html", "../licences.html")
_LESSON_PAGE: Final = re.compile(r"([a-z0-9-]+?)(-solutions)?\.html")


def check_link(draft: Draft, href: str, line: int) -> None:
    """Check a link's target now, or at the end of the lesson for an anchor. Raises `Fault`."""
    if href.startswith("#"):
        draft.later(line, lambda: _check_anchor(draft, href[1:]))
        return
    try:
        address = urlsplit(href)
    except ValueError as error:
        raise Fault("link-target", f"{quoted(href)} is not an address: {error}") from None
    if address.scheme in {"http", "https"}:
        if not address.hostname or "." not in address.hostname:
            raise Fault("link-target", f"{quoted(href)} names no host")
    elif address.scheme or href.startswith("/"):
        raise Fault("link-target", f"{quoted(href)} is neither an http(s) address nor relative to the page")
    else:
        _check_page(draft, address.path, href)


def _check_anchor(draft: Draft, anchor: str) -> None:
    if anchor not in draft.anchors:
        hint = did_you_mean(anchor, draft.anchors)
        raise Fault("link-target", f"this lesson has no anchor {quoted('#' + anchor)}{hint}")


def _check_page(draft: Draft, path: str, href: str) -> None:
    if path in _SITE_PAGES:
        return
    page = _LESSON_PAGE.fullmatch(path)
    if page and (page[1] in draft.project.lessons or page[1] == draft.front.texts.get("id")):
        return
    hint = did_you_mean(path, [*_SITE_PAGES, *(f"{lesson}.html" for lesson in draft.project.lessons)])
    raise Fault("link-target", f"{quoted(href)} is no page of the site{hint}")
