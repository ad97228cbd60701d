/** The progress of a badge. Hidden from screen readers: the text beside it says the same. */
export function ProgressBar({ progress, goal }: { progress: number; goal: number }) {
  return (
    <span aria-hidden="true" className="block h-1.5 overflow-hidden rounded-full bg-sunken">
      <span
        className="block h-full rounded-full bg-gold transition-[width] duration-700 ease-out"
        style={{ width: `${(100 * progress) / goal}%` }}
      />
    </span>
  );
}
