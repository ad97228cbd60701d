import { type RefObject, useEffect, useRef } from 'react';

/** Each returns the part that had the focus last, or null if its own had not. */
const findFocusedParts = new Set<() => Element | null>();

/**
 * Keeps the focus in a part of the screen whose elements come and go: when the focused one is removed, the browser drops
 * the focus, and a keyboard user would start at the top again. The element of the returned ref gets it instead: give it
 * `tabIndex={-1}`. `part`: a selector of the part around that element; by default the element itself.
 */
export function useRetainedFocus<Target extends HTMLElement>(part?: string): RefObject<Target | null> {
  const target = useRef<Target>(null);
  const is_inside = useRef(false);
  useEffect(() => {
    const findPart = () => (part === undefined ? target.current : (target.current?.closest(part) ?? null));
    const findFocusedPart = () => (is_inside.current ? findPart() : null);
    const handleFocusIn = () => {
      const { activeElement } = document;
      // Focus on the body means that no element has it. A tap elsewhere does that too, so `pointerdown` resets the flag.
      // A sheet returns it, unless the element that opened it is gone by then.
      if (activeElement === document.body || activeElement?.closest('[data-sheet]')) return;
      is_inside.current = findPart()?.contains(activeElement) ?? false;
    };
    const handlePointerDown = ({ target: tapped }: PointerEvent) => {
      // A tap on the focused element leaves the focus there, without a `focusin`.
      if (!document.activeElement?.contains(tapped as Node)) is_inside.current = false;
    };
    // Whatever part of the screen has changed: a component sees only its own changes and those of its parents.
    const observer = new MutationObserver(() => {
      if (!is_inside.current || document.activeElement !== document.body) return;
      const own = findPart();
      // An open sheet keeps the focus of its own elements.
      const sheet = [...document.querySelectorAll('[data-sheet]')].at(-1);
      if (sheet && !sheet.contains(own)) return;
      const isInner = (inner: Element | null) => inner !== null && inner !== own && own?.contains(inner);
      if (![...findFocusedParts].some((find) => isInner(find()))) target.current?.focus({ preventScroll: true });
    });
    // One of its elements may have the focus already.
    handleFocusIn();
    findFocusedParts.add(findFocusedPart);
    observer.observe(document.body, { subtree: true, childList: true });
    document.addEventListener('focusin', handleFocusIn);
    document.addEventListener('pointerdown', handlePointerDown);
    return () => {
      findFocusedParts.delete(findFocusedPart);
      observer.disconnect();
      document.removeEventListener('focusin', handleFocusIn);
      document.removeEventListener('pointerdown', handlePointerDown);
    };
  }, [part]);
  return target;
}
