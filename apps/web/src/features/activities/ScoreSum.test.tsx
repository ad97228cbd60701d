import { type ScoreInput, scoreActivity } from '@sendlap/domain/scoring.ts';
import i18next from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { loadNamespaces, startI18n } from '#web/shared/i18n/i18n.ts';
import type { ActivityView } from './activity-view.ts';
import { ScoreSum } from './ScoreSum.tsx';

const START_MS = Date.UTC(2026, 10, 21, 10);

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await startI18n();
  await loadNamespaces(['activities']);
  await i18next.changeLanguage('en');
});

interface Reference {
  sport_type: ScoreInput['sport_type'];
  minutes: number;
  intensity?: ScoreInput['intensity'];
  distance_m?: number;
}

/** The values of the sum, line by line, as a person reads them. */
function readSum({ sport_type, minutes, intensity = 'moderate', distance_m }: Reference): string[] {
  const facts = { sport_type, intensity, distance_m: distance_m ?? null, intensity_confirmed: true };
  const score = scoreActivity({ ...facts, started_at: START_MS, ended_at: START_MS + minutes * 60_000 });
  const activity = { ...facts, score, status: 'validated', points: score.points } as unknown as ActivityView;
  const html = renderToStaticMarkup(<ScoreSum activity={activity} />);
  return [...html.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, text = '']) => text);
}

// Section 2 of the product's rules: M_active, share and rest, MET of the whole activity, minutes, points.
test.each([
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
  expect(readSum(reference)).toEqual(lines);
});

test('a swum distance is explained by its pace: 2,000 m in 45 min about 323, 3,000 m in 60 min about 458', () => {
  expect(readSum({ sport_type: 'swimming', minutes: 45, distance_m: 2000 }).at(-1)).toBe('323');
  expect(readSum({ sport_type: 'swimming', minutes: 60, distance_m: 3000 }).at(-1)).toBe('458');
});
