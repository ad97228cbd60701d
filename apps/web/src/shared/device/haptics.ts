/** Vibration patterns, in ms of on and off. Phones without vibration (all of iOS) do nothing. */
const PATTERNS = {
  found: [30],
  success: [20, 50, 60],
  refused: [90, 60, 90],
} as const;

/** Vibrates once the user has touched the page: before that browsers refuse and log an error to the console. */
export function vibrate(pattern: keyof typeof PATTERNS): void {
  if (navigator.userActivation?.hasBeenActive === false) return;
  navigator.vibrate?.([...PATTERNS[pattern]]);
}
