/** What `CornerCard` looks for. */
export const CORNER_ID = 'corner';

/** Where the cards above the navigation stand, one above the other, and are read out. Stands once, in the app. */
export function Corner() {
  return (
    <div
      id={CORNER_ID}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 bottom-[calc(var(--nav-room)+12px)] z-30 mx-auto max-w-[440px] wide:right-6 wide:bottom-6 wide:left-auto wide:w-[400px]"
    />
  );
}
