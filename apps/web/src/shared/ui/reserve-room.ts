import type { RefCallback } from 'react';

/** Between the part and the page or the bar below it. */
const MARGIN_PX = 12;

/**
 * Returns a ref for a part that lies over the bottom of the page. While it has a height, this variable of the style sheet
 * does too: the page grows by it at its end, so that it can be scrolled until nothing is covered. Nothing moves.
 */
export function reserveRoom(variable: '--toast-room' | '--corner-room'): RefCallback<HTMLElement> {
  return (part) => {
    if (!part) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      const { height } = part.getBoundingClientRect();
      style.setProperty(variable, height > 0 ? `${Math.ceil(height) + MARGIN_PX}px` : '0px');
    });
    observer.observe(part);
    return () => {
      observer.disconnect();
      style.removeProperty(variable);
    };
  };
}
