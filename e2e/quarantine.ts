/** Who fixes the journey, its problem, and the day on which it was quarantined, `YYYY-MM-DD`. */
export interface QuarantineTerms {
  owner: string;
  reason: string;
  since: `${number}-${number}-${number}`;
}

/**
 * Puts a journey under quarantine: `test('title', quarantine({ owner, reason, since }), async ({ server }) => …)`. It
 * runs and is reported by name, but makes no run red. At most three, for at most 14 days: `npm run check` counts them.
 */
export function quarantine({ owner, reason, since }: QuarantineTerms) {
  return { annotation: { type: 'quarantine', description: JSON.stringify({ owner, reason, since }) } };
}
