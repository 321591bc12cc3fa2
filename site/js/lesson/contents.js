/** The list of contents names the section that is being read. Without scripts it is a list of links like any other. */

import { all } from "../lib/dom.js";

/** The part of the viewport, from its top, in which a section counts as being read. */
const READING = "0px 0px -65% 0px";

/**
 * @param {boolean[]} inSight which sections reach into the upper part of the viewport, in their order
 * @param {boolean} before whether all of them are further down
 * @returns {number} the last of them; the last section of all in what follows it; −1 before the first
 */
export function sectionBeingRead(inSight, before) {
  const last = inSight.lastIndexOf(true);
  return last < 0 && !before ? inSight.length - 1 : last;
}

export function bindContents() {
  if (!("IntersectionObserver" in globalThis)) return; // the list stays as it is without scripts
  const links = all(document, ".contents a[href^='#']");
  const sections = all(document, ".part-2");
  /** @type {Map<Element, boolean>} */
  const inSight = new Map(sections.map((section) => [section, false]));
  const names = sections.map((section) => section.getAttribute("aria-labelledby") ?? "");

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) inSight.set(target, isIntersecting);
      mark(names[sectionBeingRead([...inSight.values()], sections[0].getBoundingClientRect().top > 0)]);
    },
    { rootMargin: READING },
  );
  for (const section of sections) observer.observe(section);

  /** @param {string | undefined} name */
  function mark(name) {
    for (const link of links) {
      if (link.getAttribute("href") === `#${name}`) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  }
}
