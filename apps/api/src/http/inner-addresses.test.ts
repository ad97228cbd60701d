import { expect, test } from 'vitest';
import { playSsrf } from '#test/inner-addresses/play-ssrf.ts';

/** A few; `npm run faults -- ssrf` runs all attacks. */
test('no address that others can name leads the server inside', async () => {
  const { problems, reached, attacks, honest } = await playSsrf({ every: 40 });
  expect(problems).toEqual([]);
  expect(reached).toBe(0);
  expect(attacks).toBeGreaterThan(50);
  expect(honest).toBe(8);
});
