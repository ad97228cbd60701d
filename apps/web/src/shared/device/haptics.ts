/** What the hand feels, in ms of on and off. Phones without it (all of iOS) stay still. */
const PATTERNS = {
  found: [30],
  success: [20, 50, 60],
  refused: [90, 60, 90],
} as const;

export function vibrate(pattern: keyof typeof PATTERNS): void {
  navigator.vibrate?.([...PATTERNS[pattern]]);
}
