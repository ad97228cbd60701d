import { reserveRoom } from './reserve-room.ts';

/** Id by which `CornerCard` finds this element. */
export const CORNER_ID = 'corner';

const reserveCornerRoom = reserveRoom('--corner-room');

/** Container of the cards above navigation and toasts, stacked, as a live region. Rendered once, in the app. */
export function Corner() {
  return (
    <div
      id={CORNER_ID}
      ref={reserveCornerRoom}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 bottom-[calc(var(--nav-room)+var(--toast-room)+12px)] z-30 mx-auto max-w-[440px] wide:right-6 wide:bottom-[calc(var(--toast-room)+24px)] wide:left-auto wide:w-[400px]"
    />
  );
}
