import { expect, test } from 'vitest';
import { checkCount, checkQuarantine } from './quarantine.ts';

const NOW_MS = Date.UTC(2026, 10, 23, 12);
const listed = (terms: object) => ({ name: 'chat.spec.ts › sends', terms: JSON.stringify(terms) });
const fine = { owner: 'Ada', reason: 'the map is slow', since: '2026-11-20' };

test.each([
  [{ ...fine, since: '2026-11-08' }, 'the quarantine is overdue, 14 days after 2026-11-08: mend or delete it'],
  [{ ...fine, since: '2026-11-24' }, 'the quarantine begins in the future, 2026-11-24'],
  [{ ...fine, since: '2026-02-30' }, 'the quarantine needs the day since when, YYYY-MM-DD'],
  [{ ...fine, since: '20 November' }, 'the quarantine needs the day since when, YYYY-MM-DD'],
  [{ owner: 'Ada', reason: 'slow' }, 'the quarantine needs the day since when, YYYY-MM-DD'],
  [{ ...fine, owner: '' }, 'the quarantine has no owner'],
  [{ ...fine, reason: ' ' }, 'the quarantine has no reason'],
])('a quarantine of %j is refused', (terms, problem) => {
  expect(checkQuarantine([listed(terms)], NOW_MS)).toEqual([`chat.spec.ts › sends: ${problem}`]);
});

test('an annotation that the helper did not write is refused', () => {
  expect(checkQuarantine([{ name: 'a', terms: 'flaky' }], NOW_MS)).toHaveLength(3);
});

test('a fourth journey under quarantine is refused, three are not', () => {
  const four = Array.from({ length: 4 }, () => listed(fine));
  expect(checkQuarantine(four, NOW_MS)).toEqual(['4 journeys are under quarantine, 3 may be']);
  expect(checkQuarantine(four.slice(1), NOW_MS)).toEqual([]);
});

test('the fourteenth day after is the last one', () => {
  const terms = listed({ ...fine, since: '2026-11-09' });
  expect(checkQuarantine([terms], Date.UTC(2026, 10, 23, 23, 59))).toEqual([]);
  expect(checkQuarantine([terms], Date.UTC(2026, 10, 24, 0, 1))).toHaveLength(1);
});

test('a sixty-first journey is refused', () => {
  expect(checkCount(60)).toEqual([]);
  expect(checkCount(61)).toEqual([expect.stringContaining('there are 61 journeys, 60 may be')]);
});
