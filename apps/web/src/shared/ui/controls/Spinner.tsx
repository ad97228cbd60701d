/** A rotating ring in the colour of its text; text beside it names the pending action. */
export function Spinner({ size = 22 }: { size?: number }) {
  const stroke = size > 40 ? 1.2 : 3;
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true" className="anim-turn shrink-0">
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth={stroke} opacity="0.25" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth={stroke} strokeLinecap="round" />
    </svg>
  );
}
