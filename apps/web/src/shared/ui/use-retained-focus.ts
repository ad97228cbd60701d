import { type RefObject, useEffect, useRef } from 'react';

interface Part {
  /** Returns null while the part is not on the screen. */
  find: () => Element | null;
  takeFocus: () => void;
  /** True if the last element with the focus was inside, even if it has been removed since. */
  was_focused: boolean;
}

const parts = new Set<Part>();

/**
 * Keeps the focus in a part of the screen whose elements come and go: when the focused one is removed, the browser drops
 * the focus, and a keyboard user would start at the top again. The element of the returned ref gets it instead: give it
 * `tabIndex={-1}`. `selector`: of the part around that element; by default the part is the element itself.
 */
export function useRetainedFocus<Target extends HTMLElement>(selector?: string): RefObject<Target | null> {
  const target = useRef<Target>(null);
  useEffect(() => {
    const part: Part = {
      find: () => (selector === undefined ? target.current : (target.current?.closest(selector) ?? null)),
      takeFocus: () => target.current?.focus({ preventScroll: true }),
      was_focused: false,
    };
    return watch(part);
  }, [selector]);
  return target;
}

function watch(part: Part): () => void {
  if (parts.size === 0) startWatching();
  parts.add(part);
  // An element of the new part may have the focus already.
  handleFocusIn();
  return () => {
    parts.delete(part);
    if (parts.size === 0) stopWatching();
  };
}

// One observer of the whole page: an effect runs only after a render of its own component, and any other component may
// remove the focused element.
const observer = new MutationObserver(giveFocusBack);

function startWatching() {
  observer.observe(document.body, { subtree: true, childList: true });
  document.addEventListener('focusin', handleFocusIn);
  document.addEventListener('pointerdown', handlePointerDown);
}

function stopWatching() {
  observer.disconnect();
  document.removeEventListener('focusin', handleFocusIn);
  document.removeEventListener('pointerdown', handlePointerDown);
}

function handleFocusIn() {
  const { activeElement } = document;
  // Focus on the body means that no element has it.
  if (!activeElement || activeElement === document.body) return;
  for (const part of findPartsAffectedBy(activeElement))
    part.was_focused = part.find()?.contains(activeElement) ?? false;
}

/** A tap beside the focused element takes the focus from it without a `focusin`. */
function handlePointerDown({ target: tapped }: PointerEvent) {
  const { activeElement } = document;
  if (!(tapped instanceof Element) || (activeElement !== document.body && activeElement?.contains(tapped))) return;
  for (const part of findPartsAffectedBy(tapped)) part.was_focused = false;
}

/**
 * Returns the parts that a focus or tap on the element changes. Inside a sheet these are the sheet's own: the parts below
 * it keep their state, because the focus returns to them when the sheet closes.
 */
function findPartsAffectedBy(element: Element): Part[] {
  const sheet = element.closest('[data-sheet]');
  return [...parts].filter((part) => !sheet || sheet.contains(part.find()));
}

/** The innermost part that lost the focus takes it; while a sheet is open, only one inside it. */
function giveFocusBack() {
  if (document.activeElement !== document.body) return;
  const open_sheet = [...document.querySelectorAll('[data-sheet]')].at(-1);
  let innermost: { part: Part; found: Element } | null = null;
  for (const part of parts) {
    const found = part.was_focused ? part.find() : null;
    if (!found || (open_sheet && !open_sheet.contains(found))) continue;
    if (!innermost || innermost.found.contains(found)) innermost = { part, found };
  }
  innermost?.part.takeFocus();
}
