import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { WeekActivity } from '../progress/athlete-weeks.ts';
import type { ScoreInput } from '../scoring.ts';
import type { Sport } from '../sports.ts';
import type { SportRecord } from './sport-record.ts';

/** A sport that is in no list but the one of this test. Its record is all that the rules get. */
const ROWING = {
  name: 'rowing',
  code_number: 200,
  search_words: ['row', 'rowing', 'remo'],
  active: { easy: 4000, moderate: 6000, hard: 12_000 },
  rest: 1000,
  active_percent: 50,
  distance: {
    max_m: 50_000,
    max_m_per_minute: 400,
    paces: [
      { pace: 1000, met: 4000 },
      { pace: 2000, met: 8000 },
    ],
  },
  week: { count: 'rows', metres: 'rowed_m', longest_minutes: 'longest_row_minutes' },
} as const satisfies SportRecord;
const ROW = ROWING.name as unknown as Sport;
const MINUTE_MS = 60_000;

/** The modules as they are with the third sport. */
async function loadRules() {
  const [sports, scoring, codes, weeks, badges] = await Promise.all([
    import('../sports.ts'),
    import('../scoring.ts'),
    import('../qr-code.ts'),
    import('../progress/athlete-weeks.ts'),
    import('../progress/badges.ts'),
  ]);
  return { ...sports, ...scoring, ...codes, ...weeks, ...badges };
}

let rules: Awaited<ReturnType<typeof loadRules>>;
beforeAll(async () => {
  vi.resetModules();
  vi.doMock('./sport-list.ts', async (load) => {
    const { SPORT_LIST } = await load<typeof import('./sport-list.ts')>();
    return { SPORT_LIST: [...SPORT_LIST, ROWING] };
  });
  rules = await loadRules();
});
// Files of this project share a process.
afterAll(() => {
  vi.doUnmock('./sport-list.ts');
  vi.resetModules();
});

describe('a third sport needs no more than its record', () => {
  test('it is the last of the sports', () => {
    expect(rules.SPORTS).toEqual(['climbing', 'swimming', 'rowing']);
  });

  test.each<[title: string, facts: Partial<ScoreInput>, points: number]>([
    ['a confirmed hard hour by met-1', { rule_version: 'met-1', intensity: 'hard', intensity_confirmed: true }, 390],
    ['an hour without a distance is easy by met-2', { intensity: 'hard', intensity_confirmed: true }, 150],
    ['a declared distance raises nothing by met-2', { distance_m: 12_000 }, 150],
    ['a confirmed pace between two of the record', { distance_m: 9000, distance_confirmed: true }, 210],
    ['a confirmed pace beyond the fastest', { distance_m: 20_000, distance_confirmed: true }, 270],
  ])('it scores by its METs: %s', (_, facts, points) => {
    const plain = { intensity: null, intensity_confirmed: false, distance_m: null, distance_confirmed: false } as const;
    const times = { started_at: 0, ended_at: 60 * MINUTE_MS, paused_s: 0 };
    const input = { ...plain, ...times, rule_version: 'met-2', sport_type: ROW, ...facts } as const;
    expect(rules.scoreActivity(input).points).toBe(points);
  });

  const code = {
    activity_id: '7b1f6a0e-4c1d-4c55-9a3e-0d7f3c1b2a49',
    public_id: 'sl-7k2m9',
    display_name: 'Nora',
    sport_center_id: 'c0a8012e-5b7d-4e7a-8f3b-2d9e4c6a1b80',
    sport_type: ROW,
    started_at: Date.UTC(2026, 10, 21, 10),
    ended_at: Date.UTC(2026, 10, 21, 11),
    paused_s: 0,
    intensity: 'hard',
    distance_m: 12_000,
    step: 59_000_000,
    key_id: '3e0f7a51-94d2-4f0c-b6a8-5c1d2e3f4a5b',
  } as const;

  test('its codes hold its number and its distance up to its own limit', () => {
    const sealed = rules.appendMac(rules.encodeActivityCode(code), new Uint8Array(16));
    expect(rules.decodeCode(sealed)).toMatchObject({ kind: 'activity', code });
    expect(() => rules.encodeActivityCode({ ...code, distance_m: 50_001 })).toThrow(RangeError);
  });

  test('its fields are in the weekly totals, beside those of the others', () => {
    const row = (id: string, minutes: number, distance_m: number | null): WeekActivity => ({
      ...{ id, sport_type: ROW, sport_center_id: 'lake', local_date: '2026-11-21', points: 100, validation: 'referee' },
      ...{ started_at: code.started_at, ended_at: code.started_at + minutes * MINUTE_MS, paused_s: 0, distance_m },
    });
    const climb = { ...row('3', 30, null), sport_type: 'climbing' } as const;
    const week = rules.sumWeek('2026-W47', [row('1', 20, 9000), row('2', 45, null), climb]);
    expect(week).toMatchObject({ rows: 2, rowed_m: 8000, longest_row_minutes: 45, climbs: 1, swims: 0, swum_m: 0 });
    const progress = rules.badgeProgress({ weeks: [week], validations_given: 0 }, '2026-W47');
    expect(progress).toMatchObject({ first_activity: 3, all_rounder: 2, climbing_rookie: 1, swimming_starter: 0 });
  });
});
