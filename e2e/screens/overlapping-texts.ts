/**
 * Returns the pairs of texts of the screen, or of the sheet above it, that lie on each other. A text that slides under a
 * bar or a sheet does not count, nor what a part that scrolls or clips hides. Runs in the page.
 */
export function findOverlappingTexts(): string[] {
  /** Allows for rounding, and for the room beside letters. */
  const MIN_OVERLAP_PX = 3;
  /** A line's box has this share of its height above the capitals, and below the baseline. */
  const EMPTY_SHARE = 0.15;
  interface Line {
    element: Element;
    layer: Element;
    words: string;
    left: number;
    right: number;
    top: number;
    bottom: number;
  }
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest('[inert]');

  /** Returns the part that is drawn above or below the rest as a whole. */
  const findLayer = (element: Element): Element => {
    for (let part = element; part.parentElement; part = part.parentElement) {
      const { position, zIndex } = getComputedStyle(part);
      if (position === 'fixed' || position === 'sticky' || (position === 'absolute' && zIndex !== 'auto')) return part;
    }
    return document.body;
  };
  /** Returns the part of the box that no ancestor hides. */
  const clip = (element: Element, { left, right, top, bottom }: DOMRect) => {
    const seen = { left, right, top, bottom };
    for (let part: Element | null = element; part && part !== document.body; part = part.parentElement) {
      const { overflowX, overflowY, display, position } = getComputedStyle(part);
      if (display !== 'inline' && display !== 'contents') {
        const box = part.getBoundingClientRect();
        if (overflowX !== 'visible') {
          seen.left = Math.max(seen.left, box.left);
          seen.right = Math.min(seen.right, box.right);
        }
        if (overflowY !== 'visible') {
          seen.top = Math.max(seen.top, box.top);
          seen.bottom = Math.min(seen.bottom, box.bottom);
        }
      }
      if (position === 'fixed') break;
    }
    return seen;
  };

  const sheets = [...document.querySelectorAll('[role=dialog][aria-modal=true], dialog[open]')].filter(isShown);
  const lines: Line[] = [];
  const texts = document.createTreeWalker(sheets.at(-1) ?? document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const element = text.parentElement;
    const words = text.data.trim().slice(0, 40);
    if (!element || words === '' || element.matches('script, style, noscript, option, title') || !isShown(element))
      continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const layer = findLayer(element);
    for (const { left, top, width, height } of range.getClientRects()) {
      const empty = EMPTY_SHARE * height;
      const seen = clip(element, new DOMRect(left, top + empty, width, height - 2 * empty));
      const is_seen = seen.right - seen.left > MIN_OVERLAP_PX && seen.bottom - seen.top > MIN_OVERLAP_PX;
      if (is_seen) lines.push({ element, layer, words, ...seen });
    }
  }

  const found = new Set<string>();
  lines.sort((one, other) => one.top - other.top);
  for (const [index, upper] of lines.entries()) {
    for (const lower of lines.slice(index + 1)) {
      if (lower.top >= upper.bottom) break;
      if (lower.element === upper.element || lower.layer !== upper.layer) continue;
      const across = Math.min(upper.right, lower.right) - Math.max(upper.left, lower.left);
      const down = Math.min(upper.bottom, lower.bottom) - lower.top;
      if (across > MIN_OVERLAP_PX && down > MIN_OVERLAP_PX)
        found.add(`"${upper.words}" and "${lower.words}" lie on each other`);
    }
  }
  return [...found];
}
