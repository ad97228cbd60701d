/** The middle one; 0 of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that this share of all does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** One line of figures beside what was aimed at; whether it holds is returned and said. */
export function printGoal(
  what: string,
  figure: number,
  goal: { at_least: number } | { at_most: number },
  unit = '',
): boolean {
  const holds = 'at_least' in goal ? figure >= goal.at_least : figure <= goal.at_most;
  const aim = 'at_least' in goal ? `≥ ${goal.at_least}` : `≤ ${goal.at_most}`;
  const text = figure >= 100 ? figure.toFixed(0) : figure.toFixed(2);
  console.log(`${holds ? 'ok  ' : 'MISS'} ${what}: ${text}${unit} (goal ${aim}${unit})`);
  return holds;
}

const MIB = 1 << 20;

export function toMib(bytes: number): number {
  return bytes / MIB;
}
