const RADIUS = 25;
const LENGTH = 2 * Math.PI * RADIUS;

interface StepRingProps {
  /** How long a code is shown, whole seconds. */
  step_s: number;
  seconds_left: number;
  label: string;
}

/** A countdown to the next code. Its background is white in every theme, so it is black. */
export function StepRing({ step_s, seconds_left, label }: StepRingProps) {
  const gone = 1 - Math.min(1, (seconds_left - 1) / (step_s - 1));
  return (
    <div role="timer" aria-label={label} className="relative grid size-16 shrink-0 place-items-center">
      <svg viewBox="0 0 60 60" fill="none" aria-hidden="true" className="absolute inset-0 -rotate-90">
        <circle cx="30" cy="30" r={RADIUS} strokeWidth="5" className="stroke-black/10" />
        <circle
          cx="30"
          cy="30"
          r={RADIUS}
          strokeWidth="5"
          strokeLinecap="round"
          strokeDasharray={LENGTH}
          strokeDashoffset={LENGTH * gone}
          className="stroke-current transition-[stroke-dashoffset] duration-1000 ease-linear"
        />
      </svg>
      <span aria-hidden="true" className="figures text-lg font-bold">
        {seconds_left}
      </span>
    </div>
  );
}
