import { expect, test } from 'vitest';
import { MISTAKE_NAMES, MISTAKES } from '../apps/web/test/world/base/mistakes.ts';
import { createNotebook } from '../apps/web/test/world/base/notebook.ts';
import { SIGHTS } from '../apps/web/test/world/base/sights.ts';
import { KEPT_SEEDS } from '../apps/web/test/world/kept-seeds.ts';
import { findDamage } from '../apps/web/test/world/verdict.ts';
import { playWorld } from '../apps/web/test/world/world.ts';
import { createRandom } from '../e2e/offline/random.ts';

test.each(MISTAKE_NAMES)('Worlds find the damage with this protection removed: %s', async (mistake) => {
  const { damage: expected, world } = MISTAKES[mistake];
  // A later change of the world may move it.
  const seeds = [world, ...Array.from({ length: 30 }, (_, index) => index + 1)];
  const damages: string[] = [];
  for (let at = 0; at < seeds.length && !damages.some((one) => expected.test(one)); at += 1)
    damages.push(...(await playWorld(createRandom(seeds[at] ?? 1), { mistake })).damage);
  expect(damages).toContainEqual(expect.stringMatching(expected));
});

test('Worlds do no damage, and reach every kind of trouble', async () => {
  const seen = new Set<string>();
  for (const seed of [...KEPT_SEEDS, ...Array.from({ length: 30 }, (_, index) => index + 1)]) {
    const { damage, sights } = await playWorld(createRandom(seed));
    expect({ seed, damage }).toEqual({ seed, damage: [] });
    for (const sight of sights) seen.add(sight);
  }
  expect([...seen].sort()).toEqual([...SIGHTS].sort());
});

test.each([31, 65, 99, 133, 167])('The 34 worlds from %i do no damage', async (first) => {
  for (let seed = first; seed < first + 34; seed += 1) {
    const { damage } = await playWorld(createRandom(seed));
    expect({ seed, damage }).toEqual({ seed, damage: [] });
  }
});

const ANA = 'ana';
const SWIM = 'swim';
const noActivities = { effectOf: () => undefined, find: () => undefined, pointsOf: () => 0 };

/** The damage of a world in which Ana read one refusal. */
function judgeRefusal(code: string, { asked = [], two_phones = [] }: { asked?: string[]; two_phones?: string[] } = {}) {
  const notebook = createNotebook();
  const about = { user_id: ANA, client_id: SWIM };
  notebook.actions.set('start', { ...about, kind: 'start', done_at: 0, is_saved: true });
  notebook.refused.set('start', { ...about, code });
  for (const client_id of asked) notebook.asked.add(client_id);
  return findDamage({ notebook, activities: noActivities, boards: [], two_phones: new Set(two_phones) });
}

test.each(['activity_already_active', 'activity_already_finished', 'activity_not_found'])(
  'The refusal %s needs a second phone of this user, or a question of time',
  (code) => {
    const damage = [`start is refused: ${code}`];
    expect(judgeRefusal(code)).toEqual(damage);
    expect(judgeRefusal(code, { two_phones: ['ben'] })).toEqual(damage);
    expect(judgeRefusal(code, { two_phones: [ANA] })).toEqual([]);
    expect(judgeRefusal(code, { asked: [SWIM] })).toEqual([]);
  },
);

test.each(['validation_failed', 'activity_overlap', 'bad_request'])('Nothing explains the refusal %s', (code) => {
  expect(judgeRefusal(code, { asked: [SWIM], two_phones: [ANA] })).toEqual([`start is refused: ${code}`]);
});

test('Only a question that was read explains that an op waits for its time', () => {
  expect(judgeRefusal('clock_unsure', { two_phones: [ANA] })).toEqual(['start is refused: clock_unsure']);
  expect(judgeRefusal('clock_unsure', { asked: [SWIM] })).toEqual([]);
});

test('A discarded activity explains its steps until then, and no later one', () => {
  const notebook = createNotebook();
  const about = { user_id: ANA, client_id: SWIM, kind: 'finish', done_at: 0, is_saved: true } as const;
  notebook.actions.set('discarded', about);
  notebook.discarded.add('discarded');
  notebook.actions.set('later', about);
  const damage = findDamage({ notebook, activities: noActivities, boards: [], two_phones: new Set() });
  expect(damage).toEqual(['finish later is lost']);
});

/** Ana and Ben have an activity each that a referee confirmed. */
function judgeBoard(shown: Parameters<typeof findDamage>[0]['boards'][number]) {
  const notebook = createNotebook();
  const find = (user_id: string) => ({ user_id, started_at: '', ended_at: '', venue_codes: 0 });
  const effect = { at: new Date(0).toISOString(), times: 1 };
  for (const user_id of [ANA, 'ben'])
    notebook.actions.set(user_id, { user_id, client_id: user_id, kind: 'scan', done_at: 0, is_saved: true });
  const activities = { find, pointsOf: () => 10, effectOf: (user_id: string) => ({ ...effect, user_id }) };
  return findDamage({ notebook, activities, boards: [shown], two_phones: new Set() });
}

test('The board that the kiosk shows has each proven activity once, and both of a tie first', () => {
  const [ana, ben] = [
    { rank: 1, name: ANA, points: 10 },
    { rank: 1, name: 'ben', points: 10 },
  ];
  expect(judgeBoard([ben, ana])).toEqual([]);
  expect(judgeBoard([ana])).toEqual(['the kiosk shows 1. ana 10, not 1. ana 10, 1. ben 10']);
  expect(judgeBoard([ana, { ...ben, rank: 2 }])).toHaveLength(1);
  expect(judgeBoard([{ ...ana, points: 20 }, ben])).toHaveLength(1);
  expect(judgeBoard(null)).toEqual(['the kiosk shows no board, not 1. ana 10, 1. ben 10']);
});

test('A seed repeats its world', async () => {
  const mistake = 'no idempotency key';
  expect(await playWorld(createRandom(7), { mistake })).toEqual(await playWorld(createRandom(7), { mistake }));
});
