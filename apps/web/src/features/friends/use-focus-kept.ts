import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps the focus in a part of the screen whose lines come and go: with the line that held it the browser would throw
 * it away, and who uses a keyboard would begin at the top again. Give that part `tabIndex={-1}`.
 */
export function useFocusKept(): RefObject<HTMLDivElement | null> {
  const part = useRef<HTMLDivElement>(null);
  const is_inside = useRef(false);
  useEffect(() => {
    const see = () => {
      const { activeElement } = document;
      // On the body means: nowhere. A tap beside everything leaves it like that too, and brings nobody back.
      if (activeElement !== document.body) is_inside.current = part.current?.contains(activeElement) ?? false;
    };
    const leave = () => {
      is_inside.current = false;
    };
    document.addEventListener('focusin', see);
    document.addEventListener('pointerdown', leave);
    return () => {
      document.removeEventListener('focusin', see);
      document.removeEventListener('pointerdown', leave);
    };
  }, []);
  // After every change of the lines, whatever made it.
  useEffect(() => {
    if (is_inside.current && document.activeElement === document.body) part.current?.focus({ preventScroll: true });
  });
  return part;
}
