import { type ScoreInput, scoreActivity } from '@sendlap/domain/scoring.ts';
import type { SportRecord } from '@sendlap/domain/sports/sport-record.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { loadNamespaces, startI18n } from '#web/shared/i18n/i18n.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import type { ActivityView } from '../data/activity-view.ts';
import { createFinishOp } from '../ops/activity-ops.ts';
import { ScoreBreakdown } from './ScoreBreakdown.tsx';

const ROW = 'rowing' as unknown as ScoreInput['sport_type'];

// The two lists that a developer adds a sport to.
vi.mock('@sendlap/domain/sports/sport-list.ts', async (load) => {
  const { SPORT_LIST } = await load<typeof import('@sendlap/domain/sports/sport-list.ts')>();
  const rowing = {
    name: 'rowing',
    code_number: 200,
    search_words: ['rowing'],
    active: { easy: 4000, moderate: 6000, hard: 12_000 },
    rest: 1000,
    active_percent: 50,
    distance: { max_m: 50_000, max_m_per_minute: 400, paces: [{ pace: 1000, met: 4000 }] },
    week: { count: 'rows', metres: 'rowed_m', longest_minutes: null },
  } as const satisfies SportRecord;
  return { SPORT_LIST: [...SPORT_LIST, rowing] };
});
vi.mock('#web/shared/sports/sport-look.ts', async (load) => {
  const { SPORT_LOOKS } = await load<typeof import('#web/shared/sports/sport-look.ts')>();
  const rowing = { ...SPORT_LOOKS.swimming, tone: 'row', fill: 'bg-row', tint: 'bg-row-tint', ink: 'text-row-ink' };
  return { SPORT_LOOKS: { ...SPORT_LOOKS, rowing } };
});

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await startI18n();
  await loadNamespaces(['activities']);
});

describe('a third sport needs no more than its record and its look', () => {
  const facts = { sport_type: ROW, intensity: 'hard', distance_m: null } as const;

  test('the sum of its points shows its own numbers, and that it is easy without a distance', () => {
    const proven = { ...facts, rule_version: 'met-2', intensity_confirmed: true, distance_confirmed: true } as const;
    const score = scoreActivity({ ...proven, started_at: 0, ended_at: 3_600_000, paused_s: 0 });
    const activity = { ...facts, score, status: 'validated', points: score.points } as unknown as ActivityView;
    const html = renderToStaticMarkup(<ScoreBreakdown activity={activity} />);
    const values = [...html.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, text]) => text);
    expect(values).toEqual(['50 % of 4 MET', '50 % of 1 MET', '2.5 MET', '1 hr', '150']);
    // Its texts are missing here, so their keys are shown.
    expect(html).toContain('sum.easy.rowing');
    expect(html).toContain('sum.active.rowing');
  });

  test('its controls have its colours', () => {
    const { tone } = SPORT_LOOKS[ROW];
    const html = renderToStaticMarkup(
      <Card tone={tone}>
        <Tag tone={tone}>Rowing</Tag>
        <Button kind={tone}>Start</Button>
      </Card>,
    );
    expect(html).toMatch(/^<div class="[^"]*bg-row-tint[^"]*"><span class="[^"]*bg-row-tint text-row-ink/);
    expect(html).toMatch(/<button [^>]*bg-row /);
  });

  test('its finish carries the metres that were counted', () => {
    const draft = { intensity: 'hard', lengths: 4, pool_length_m: 500 } as const;
    const place = { sport_center_id: 'lake', sport_center_name: 'Lake', started_at: '2026-11-21T10:00:00Z' };
    const activity = { ...facts, ...place, client_id: 'a', draft };
    const op = createFinishOp({ activity, ended_at: Date.parse('2026-11-21T11:00:00Z'), newId: () => 'b' });
    expect(op).toMatchObject({ distance_m: 2000, intensity: 'hard' });
  });
});
