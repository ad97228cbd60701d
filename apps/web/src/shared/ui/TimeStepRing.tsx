const RADIUS = 25;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

interface TimeStepRingProps {
  /** How long a code is shown, whole seconds. */
  time_step_s: number;
  seconds_left: number;
  label: string;
}

/** A countdown to the next code. Its background is white in every theme, so it is black. */
export function TimeStepRing({ time_step_s, seconds_left, label }: TimeStepRingProps) {
  const elapsed = 1 - Math.min(1, (seconds_left - 1) / (time_step_s - 1));
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
          strokeDasharray={CIRCUMFERENCE}
          strokeDashoffset={CIRCUMFERENCE * elapsed}
          className="stroke-current transition-[stroke-dashoffset] duration-1000 ease-linear"
        />
      </svg>
      <span aria-hidden="true" className="figures text-lg font-bold">
        {seconds_left}
      </span>
    </div>
  );
}
