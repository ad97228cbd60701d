import { VALIDATION_WINDOW_MS } from '@sendlap/domain/scan-checks.ts';
import { type ScoreInput, scoreActivity } from '@sendlap/domain/scoring.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { changeLanguage, loadNamespaces, startI18n } from '#web/shared/i18n/i18n.ts';
import type { ActivityView } from '../data/activity-view.ts';
import { ScoreBreakdown } from './ScoreBreakdown.tsx';

const START_MS = Date.UTC(2026, 10, 21, 10);

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await startI18n();
  await loadNamespaces(['activities']);
  await changeLanguage('en');
});

afterEach(() => void vi.useRealTimers());

interface Reference {
  rule_version?: ScoreInput['rule_version'];
  sport_type: ScoreInput['sport_type'];
  minutes: number;
  intensity?: ScoreInput['intensity'];
  distance_m?: number;
}

/** Returns the values of the sum, line by line, as the user reads them. */
function readBreakdown({
  rule_version = 'met-1',
  sport_type,
  minutes,
  intensity = 'moderate',
  distance_m,
}: Reference): string[] {
  const proven = { rule_version, intensity_confirmed: true, distance_confirmed: true } as const;
  const facts = { ...proven, sport_type, intensity, distance_m: distance_m ?? null };
  const times = { started_at: START_MS, ended_at: START_MS + minutes * 60_000, paused_s: 0 };
  const score = scoreActivity({ ...facts, ...times });
  const activity = { ...facts, score, status: 'validated', points: score.points } as unknown as ActivityView;
  const html = renderToStaticMarkup(<ScoreBreakdown activity={activity} />);
  return [...html.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, text = '']) => text);
}

// Section 2 of the product's rules: M_active, share and rest, MET of the whole activity, minutes, points.
test.each([
  [
    'swim 45 min hard by met-2',
    { rule_version: 'met-2', sport_type: 'swimming', minutes: 45, intensity: 'hard' },
    ['85 % of 5.8 MET', '15 % of 2 MET', '5.23 MET', '45 min', '235'],
  ],
  [
    'climb 90 min moderate',
    { sport_type: 'climbing', minutes: 90 },
    ['30 % of 7.3 MET', '70 % of 2.5 MET', '3.94 MET', '1 hr 30 min', '355'],
  ],
  [
    'climb 120 min hard',
    { sport_type: 'climbing', minutes: 120, intensity: 'hard' },
    ['30 % of 8.8 MET', '70 % of 2.5 MET', '4.39 MET', '2 hr', '527'],
  ],
  [
    'swim 45 min moderate',
    { sport_type: 'swimming', minutes: 45 },
    ['85 % of 8.3 MET', '15 % of 2 MET', '7.355 MET', '45 min', '331'],
  ],
] as const)('the explanation shows the numbers of the rule: %s', (_, reference, lines) => {
  expect(readBreakdown(reference)).toEqual(lines);
});

test('a swum distance is explained by its pace: 2,000 m in 45 min about 323, 3,000 m in 60 min about 458', () => {
  expect(readBreakdown({ sport_type: 'swimming', minutes: 45, distance_m: 2000 }).at(-1)).toBe('323');
  expect(readBreakdown({ sport_type: 'swimming', minutes: 60, distance_m: 3000 }).at(-1)).toBe('458');
});

test('a swim whose distance no referee has confirmed yet shows the points that this would give, while one can', () => {
  const times = { started_at: '2026-11-21T10:00:00Z', ended_at: '2026-11-21T10:45:00Z', paused_s: 0 };
  const facts = {
    ...times,
    sport_type: 'swimming',
    intensity: 'hard',
    distance_m: 2000,
    rule_version: 'met-2',
  } as const;
  const score = scoreActivity({
    ...facts,
    started_at: START_MS,
    ended_at: START_MS + 45 * 60_000,
    paused_s: 0,
    intensity_confirmed: false,
    distance_confirmed: false,
  });
  const activity = { ...facts, score, status: 'finished', validation: 'none', points: 0 } as unknown as ActivityView;
  const closes_at = START_MS + 45 * 60_000 + VALIDATION_WINDOW_MS;
  vi.useFakeTimers({ now: closes_at });
  const html = renderToStaticMarkup(<ScoreBreakdown activity={activity} />);
  expect(html).toContain('Without a distance that a referee has confirmed, a swim counts as easy.');
  expect(html).toContain('With your distance confirmed by a referee it would be 323 points.');
  expect(html).not.toContain('You said hard');
  const climb = { ...activity, sport_type: 'climbing', distance_m: null } as ActivityView;
  expect(renderToStaticMarkup(<ScoreBreakdown activity={climb} />)).not.toContain('confirmed by a referee');
  vi.setSystemTime(closes_at + 1);
  expect(renderToStaticMarkup(<ScoreBreakdown activity={activity} />)).not.toContain('323 points');
});
