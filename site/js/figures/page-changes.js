/**
 * What happens to a page around its figures: nearness to the viewport, another width, other colours, printing.
 * Each function returns how to stop listening. Where a browser, or an add-on in it, has taken an observer away, figures
 * do without: they load at once, and follow the width of the window.
 */

/** How far ahead of the viewport a figure counts as near. */
const NEAR = "600px 0px";

/** @param {Element} element @param {() => void} then called once */
export function whenNear(element, then) {
  if (!("IntersectionObserver" in globalThis)) {
    const soon = setTimeout(then);
    return () => clearTimeout(soon);
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      then();
    },
    { rootMargin: NEAR },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

/** @param {Element} element @param {(width: number) => void} then also called at once with the present width */
export function onWidth(element, then) {
  if (!("ResizeObserver" in globalThis)) {
    const measure = () => then(element.clientWidth);
    const soon = setTimeout(measure);
    addEventListener("resize", measure);
    return () => {
      clearTimeout(soon);
      removeEventListener("resize", measure);
    };
  }
  const observer = new ResizeObserver((entries) => {
    const last = entries.at(-1);
    if (last) then(last.contentRect.width);
  });
  observer.observe(element);
  return () => observer.disconnect();
}

/** The reader's own choice of theme, or the system's. @param {() => void} then */
export function onColours(then) {
  const observer = new MutationObserver(then);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", then);
  return () => {
    observer.disconnect();
    dark.removeEventListener("change", then);
  };
}

/** @param {() => void} then called before the page is laid out for paper */
export function onPrint(then) {
  const print = matchMedia("print");
  const change = () => {
    if (print.matches) then();
  };
  addEventListener("beforeprint", then);
  print.addEventListener("change", change);
  return () => {
    removeEventListener("beforeprint", then);
    print.removeEventListener("change", change);
  };
}
