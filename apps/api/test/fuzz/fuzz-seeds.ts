export interface FuzzSeed {
  seed: number;
  requests: number;
}

/**
 * Seeds that once led to a wrong reply, for ever, each with as many requests as it takes. A change of the contract gives a
 * seed other requests, so that a mended fault also has a test of its own.
 */
const KEPT_SEEDS: FuzzSeed[] = [];

export const USUAL_SEED = 1;

/**
 * Returns what `--seed` asks for: some seeds, or `today`, another one each day; without it, the usual one. The
 * kept ones come before that of a day and the usual one.
 */
export function chooseSeeds(
  wanted: string | undefined,
  { requests, now, kept = KEPT_SEEDS }: { requests: number; now: Date; kept?: FuzzSeed[] },
): FuzzSeed[] {
  if (wanted === undefined) return [...kept, { seed: USUAL_SEED, requests }];
  if (wanted === 'today')
    return [...kept, { seed: Number(now.toISOString().slice(0, 10).replaceAll('-', '')), requests }];
  const seeds = wanted.split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  if (!seeds.every(Number.isSafeInteger)) throw new Error(`--seed takes numbers or "today", not "${wanted}"`);
  return seeds.map((seed) => ({ seed, requests }));
}
