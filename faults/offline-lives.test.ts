import { expect, test } from 'vitest';
import { NO_HARDSHIPS } from '../e2e/offline/hardships.ts';
import { createNetwork } from '../e2e/offline/network.ts';
import { PORTAL_STATUSES, planLife, TROUBLES } from '../e2e/offline/plan.ts';
import { createRandom } from '../e2e/offline/random.ts';
import { openDamageReport } from '../e2e/offline/verdict.ts';
import { whyNothingIsShown } from './offline/figures.ts';

test('A seed repeats its plan, and neighbouring seeds meet every trouble', () => {
  expect(planLife(17)).toEqual(planLife(17));
  const plans = Array.from({ length: TROUBLES.length }, (_, seed) => planLife(1000 + seed));
  expect(new Set(plans.map(({ trouble }) => trouble)).size).toBe(TROUBLES.length);
});

/** The lives of so many seeds in a row. */
const plansOf = (rounds: number) =>
  Array.from({ length: rounds * TROUBLES.length }, (_, seed) => planLife(3000 + seed));

test('Two phones take turns in which one comes back first', () => {
  const plans = plansOf(2).filter(({ trouble }) => trouble === 'two phones');
  const is_same = plans.map(({ steps, first_back }) => steps[0]?.phone === first_back);
  expect(is_same.sort()).toEqual([false, true]);
});

test('Clocks are set in turns: with a network, and without one before a finish or a start; any two rounds have both', () => {
  const plans = plansOf(4).filter(({ trouble }) => trouble === 'clock');
  const jumps = plans.map(({ steps }) => steps.find(({ incident }) => incident?.startsWith('set_clock')));
  const kinds = jumps.map((step) => (step?.incident === 'set_clock' ? 'with' : `${step?.network} ${step?.act}`));
  expect(kinds.filter((kind) => kind !== 'with').sort()).toEqual(['no_network finish', 'no_network start']);
  expect(kinds.map((kind, nth) => nth > 0 && (kind === 'with') === (kinds[nth - 1] === 'with'))).not.toContain(true);
});

test('Before another user signs in, the owner has written something offline', () => {
  const plans = plansOf(4).filter(({ trouble }) => trouble === 'another user signs in');
  for (const { steps } of plans) {
    expect(steps[1]).toMatchObject({ act: 'message', network: 'no_network' });
    expect(steps[2]).toMatchObject({ incident: 'other_user' });
    expect(['no_network', 'unreachable', 'hang']).toContain(steps[2]?.network);
  }
});

const MET = { ...NO_HARDSHIPS };
for (const name of Object.keys(MET) as (keyof typeof MET)[]) MET[name] = 1;
const ACKNOWLEDGED = { start: 1, finish: 1, undo_finish: 1, delete: 1, undo_delete: 1, message: 1 };
const LITTLE = { start: 0.25, finish: 0.25, undo_finish: 0, delete: 0.25, undo_delete: 0, message: 0.25 };
/** As many lives as a long run has portals, each with another status. */
const LIVES = PORTAL_STATUSES.map((portal_status, seed) => ({
  plan: { seed, trouble: 'portal', portal_status },
  report: { damage: openDamageReport().damage, lines: [] },
  acknowledged: ACKNOWLEDGED,
  right_refusals: 0,
  claims: { start: 1, finish: 1, message: 1 },
  hardships: { ...MET, flips: 200 },
}));

const whyOf = (lives: typeof LIVES, long: boolean) =>
  whyNothingIsShown(lives, { long, portal_statuses: PORTAL_STATUSES });

test('A run with every kind of trouble, in which the app saved, counts as evidence', () => {
  expect(whyOf(LIVES, true)).toEqual([]);
});

test.each([
  ['never hung', { hung: 0 }, {}, true, 'no hanging requests'],
  ['was never late', { late: 0 }, {}, true, 'no requests 30 s late'],
  ['never lost 3 %', { rare_losses: 0 }, {}, true, 'no breaks of 3 % of the requests'],
  ['never redirected', { redirects: 0 }, {}, true, 'no redirects of a portal'],
  ['turned too seldom', { flips: 1 }, {}, true, 'only 6 turns of a network'],
  ['was never under another user', { user_changes: 0 }, {}, false, "no other users over an owner's unsent work"],
  ['set no clock offline', { offline_clock_changes: 0 }, {}, false, 'no clocks set before an act without a network'],
  [
    'never asked for a finish',
    {},
    { claims: { start: 1, finish: 0, message: 1 } },
    false,
    'no word of a finish on the server',
  ],
  ['saved next to nothing', {}, { acknowledged: LITTLE }, false, 'only 6 acknowledged in 6 lives'],
  [
    'never offered to undo a deletion',
    {},
    { acknowledged: { ...ACKNOWLEDGED, undo_delete: 0 } },
    true,
    'no acknowledged undo of a delete',
  ],
  ['saved no message', {}, { acknowledged: { ...ACKNOWLEDGED, message: 0 } }, false, 'no acknowledged message'],
])('A run that %s is no evidence', (_name, hardships, life, long, reason) => {
  const lives = LIVES.map((one) => ({ ...one, ...life, hardships: { ...one.hardships, ...hardships } }));
  expect(whyOf(lives, long)).toEqual([reason]);
});

test('A long run needs each status of a portal, a short one has too few lives for that', () => {
  const lives = LIVES.filter(({ plan }) => plan.portal_status !== 502);
  expect(whyOf(lives, true)).toEqual(['no portal with status 502']);
  expect(whyOf(lives, false)).toEqual([]);
});

test('Each trouble of a network is counted separately', async () => {
  const { network, ask } = openNetwork();
  for (const state of ['portal', 'redirect', 'unreachable'] as const) {
    await network.set(state);
    await ask();
  }
  for (const state of ['hang', 'latency'] as const) {
    await network.set(state);
    const answer = ask();
    await network.set('good');
    await answer;
  }
  await network.set('loss');
  for (let requests = 0; requests < 300; requests += 1) await ask();
  const { rare_losses, ...others } = network.misfortunes();
  expect(others).toEqual({ lost: 1, cut: 0, hung: 1, late: 1, portal_pages: 1, redirects: 1 });
  expect(rare_losses).toBeGreaterThan(0);
});

function openNetwork(portal_status = 403) {
  const told: boolean[] = [];
  const network = createNetwork({
    host: 'localhost:8000',
    random: createRandom(1),
    portal_status,
    setOffline: async (is_offline) => void told.push(is_offline),
    serve: () => 'pass',
  });
  const ask = (host = 'localhost:8000') => network.rule({ host, path: '/v1/auth/me', cookie: '' });
  return { network, ask, told };
}

test('A portal answers in HTML, by its own address too, and a phone without a network gets an error', async () => {
  const { network, ask, told } = openNetwork(403);
  expect(await ask()).toBe('pass');
  await network.set('portal');
  expect(await ask()).toMatchObject({ status: 403, type: 'text/html; charset=utf-8' });
  await network.set('redirect');
  expect(await ask()).toEqual({ redirect: 'http://portal.example/welcome' });
  expect(await ask('portal.example')).toMatchObject({ status: 200 });
  await network.set('no_network');
  expect(await ask()).toBe('lost');
  expect(told).toEqual([false, false, true]);
  expect(network.flips()).toBe(1);
});

test('A request that hangs, or is late, arrives when the network gets better', async () => {
  const { network, ask } = openNetwork();
  for (const state of ['hang', 'latency'] as const) {
    await network.set(state);
    const late = ask();
    await network.set('good');
    expect(await late).toBe('pass');
  }
});
