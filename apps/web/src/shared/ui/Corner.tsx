/** Id by which `CornerCard` finds this element. */
export const CORNER_ID = 'corner';

/** Container of the cards above the navigation, stacked, as a live region. Rendered once, in the app. */
export function Corner() {
  return (
    <div
      id={CORNER_ID}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 bottom-[calc(var(--nav-room)+12px)] z-30 mx-auto max-w-[440px] wide:right-6 wide:bottom-6 wide:left-auto wide:w-[400px]"
    />
  );
}
