/** The middle one; 0 of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that this share of all does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const MIB = 1 << 20;

export function toMib(bytes: number): number {
  return bytes / MIB;
}
