import { reserveRoom } from './reserve-room.ts';

/** Id by which `CornerCard` finds this element. */
export const CORNER_ID = 'corner';

const reserveCornerRoom = reserveRoom('--corner-room');

/**
 * Container of the cards above navigation and toasts, stacked, as a live region. Rendered once, in the app. On a screen
 * that is zoomed, where the cards would cover everything, they are at the end of the page.
 */
export function Corner() {
  return (
    <div
      id={CORNER_ID}
      ref={reserveCornerRoom}
      aria-live="polite"
      className="pointer-events-none inset-x-3 [@media(min-height:30rem)]:fixed bottom-[calc(var(--nav-room)+var(--toast-room)+12px)] z-30 mx-auto max-h-[60dvh] max-w-[440px] overflow-y-auto overscroll-contain wide:right-6 wide:bottom-[calc(var(--toast-room)+24px)] wide:left-auto wide:w-[400px]"
    />
  );
}
