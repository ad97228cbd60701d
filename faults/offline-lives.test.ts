import { expect, test } from 'vitest';
import { NO_HARDSHIPS } from '../e2e/offline/hardships.ts';
import { createNetwork } from '../e2e/offline/network.ts';
import { allowedStatuses, openNotebook } from '../e2e/offline/notebook.ts';
import { NO_ROWS, type PhoneRows } from '../e2e/offline/phone-rows.ts';
import { PORTAL_STATUSES, planLife, TROUBLES } from '../e2e/offline/plan.ts';
import { createRandom } from '../e2e/offline/random.ts';
import { judge, openDamageReport } from '../e2e/offline/verdict.ts';
import { whyNothingIsShown } from './offline/figures.ts';

const [ANA, BEN] = ['ana', 'ben'];
const NO_SERVER_ROWS = { activities: [], ops: [], messages: [] };

/** Ana's swim, started and finished on her phone; the app said that both are saved. */
function noteSwim() {
  const notebook = openNotebook();
  notebook.noteStep(ANA, 'swim', 'start', true);
  notebook.noteStep(ANA, 'swim', 'finish', true);
  return notebook;
}

function damageOf(leavings: {
  server?: object;
  phones?: Partial<PhoneRows>[];
  notebook?: ReturnType<typeof noteSwim>;
}) {
  const report = openDamageReport();
  const phones = (leavings.phones ?? [{}]).map((rows) => ({ ...NO_ROWS, ...rows }));
  const server = { ...NO_SERVER_ROWS, ...leavings.server };
  const right_refusals = judge({ notebook: leavings.notebook ?? noteSwim(), server, phones }, report);
  return { ...report.damage, right_refusals };
}

const NO_DAMAGE = {
  lost: 0,
  doubled: 0,
  sent_as_another: 0,
  wrong_sign_outs: 0,
  stuck: 0,
  falsely_saved: 0,
  right_refusals: 0,
};
const [TEN, ELEVEN, NOON] = ['10', '11', '12'].map((hour) => new Date(`2026-11-20T${hour}:00:00Z`));
const swim = (changes: object = {}) => ({
  id: 'swim',
  user_id: ANA,
  status: 'finished',
  started_at: TEN,
  ended_at: ELEVEN,
  ...changes,
});

test('What has arrived once, as its own user’s, is no damage', () => {
  const ops = ['start', 'finish'].map((kind) => ({ activity_id: 'swim', kind }));
  expect(damageOf({ server: { activities: [swim()], ops } })).toEqual(NO_DAMAGE);
});

test.each([
  ['nowhere', {}, {}, { lost: 1 }],
  ['still active', { activities: [swim({ status: 'active' })] }, {}, { lost: 1 }],
  ['another user’s', { activities: [swim({ user_id: BEN })] }, {}, { sent_as_another: 1 }],
  ['there twice', { activities: [swim(), swim({ id: 'copy' })] }, {}, { doubled: 1 }],
  ['still queued', {}, { ops: [{ client_id: 'swim', kind: 'start', last_error: null }] }, { stuck: 1 }],
  ['sealed', { activities: [swim()] }, { sealed: 1 }, { stuck: 1 }],
  ['refused', {}, { dead: [{ client_id: 'swim', kind: 'start', code: 'activity_overlap' }] }, { lost: 1 }],
])('A saved activity that is %s is damage', (_name, server, phone, damage) => {
  expect(damageOf({ server, phones: [phone] })).toEqual({ ...NO_DAMAGE, ...damage });
});

test('Of two phones at once, the server may refuse what overlaps, and nothing else', () => {
  const times = { started_at: '2026-11-20T10:30:00Z', ended_at: '2026-11-20T10:45:00Z' };
  const phones = (code: string) => [
    { dead: [{ client_id: 'swim', kind: 'start', code }], activities: [{ client_id: 'swim', ...times }] },
    {},
  ];
  const notebook = () => {
    const noted = noteSwim();
    noted.noteStep(ANA, 'other', 'start', true);
    return noted;
  };
  const judged = (other: object, code = 'activity_overlap') =>
    damageOf({
      server: { activities: [swim({ id: 'other', status: 'active', ...other })] },
      phones: phones(code),
      notebook: notebook(),
    });
  expect(judged({})).toEqual({ ...NO_DAMAGE, right_refusals: 1 });
  expect(judged({ ended_at: null })).toEqual({ ...NO_DAMAGE, right_refusals: 1 });
  expect(judged({ started_at: ELEVEN, ended_at: NOON })).toEqual({ ...NO_DAMAGE, lost: 1 });
  expect(judged({}, 'activity_in_future')).toEqual({ ...NO_DAMAGE, lost: 1 });
  expect(damageOf({ phones: phones('activity_overlap') })).toEqual({ ...NO_DAMAGE, lost: 1 });
});

test('A message is lost, doubled, refused, or sent as another; one that was not saved may be missing', () => {
  const notebook = openNotebook();
  for (const text of ['lost', 'twice', 'refused', 'as Ben']) notebook.noteMessage(ANA, text, true);
  notebook.noteMessage(ANA, 'cut short', false);
  const sent = [
    { sender_id: ANA, text: 'twice' },
    { sender_id: ANA, text: 'twice' },
    { sender_id: BEN, text: 'as Ben' },
  ];
  const messages = [{ text: 'refused', refused: 'rate_limited', last_error: null }];
  expect(damageOf({ notebook, server: { messages: sent }, phones: [{ messages }] })).toEqual({
    ...NO_DAMAGE,
    lost: 2,
    doubled: 1,
    sent_as_another: 1,
  });
});

test('A start that the app never showed may be there once, and the screens may show it later', () => {
  const notebook = openNotebook();
  notebook.noteUnseenStart(ANA);
  const active = swim({ id: 'unseen', status: 'active' });
  expect(damageOf({ notebook, server: { activities: [active] } })).toEqual(NO_DAMAGE);
  const twice = { activities: [active, { ...active, id: 'again' }] };
  expect(damageOf({ notebook, server: twice })).toEqual({ ...NO_DAMAGE, doubled: 1 });
  notebook.noteSeen(ANA, 'unseen');
  expect(damageOf({ notebook })).toEqual({ ...NO_DAMAGE, lost: 1 });
});

test('A step that was not called saved leaves both states open; an undone one leaves the previous one', () => {
  const steps = (...noted: [Parameters<ReturnType<typeof openNotebook>['noteStep']>[2], boolean][]) =>
    [...allowedStatuses(noted.map(([step, is_saved]) => ({ step, is_saved })))].sort();
  expect(steps(['start', true])).toEqual(['active']);
  expect(steps(['start', true], ['finish', false])).toEqual(['active', 'finished']);
  expect(steps(['start', true], ['finish', true], ['undo_finish', true])).toEqual(['active']);
  expect(steps(['start', true], ['finish', true], ['delete', true])).toEqual(['deleted']);
  expect(steps(['start', true], ['finish', true], ['delete', true], ['undo_delete', true])).toEqual(['finished']);
});

test('A seed repeats its plan, and neighbouring seeds meet every trouble', () => {
  expect(planLife(17)).toEqual(planLife(17));
  const plans = Array.from({ length: TROUBLES.length }, (_, seed) => planLife(1000 + seed));
  expect(new Set(plans.map(({ trouble }) => trouble)).size).toBe(TROUBLES.length);
});

/** The lives of so many seeds in a row. */
const plansOf = (rounds: number) =>
  Array.from({ length: rounds * TROUBLES.length }, (_, seed) => planLife(3000 + seed));

test('Of two phones, the one that began first and the other one come back first by turns', () => {
  const plans = plansOf(2).filter(({ trouble }) => trouble === 'two phones');
  const is_same = plans.map(({ steps, first_back }) => steps[0]?.phone === first_back);
  expect(is_same.sort()).toEqual([false, true]);
});

test('Before another user signs in, the owner has written something that no network could take', () => {
  const plans = plansOf(4).filter(({ trouble }) => trouble === 'another user signs in');
  for (const { steps } of plans) {
    expect(steps[1]).toMatchObject({ act: 'message', network: 'no_network' });
    expect(steps[2]).toMatchObject({ incident: 'other_user' });
    expect(['no_network', 'unreachable', 'hang']).toContain(steps[2]?.network);
  }
});

const MET = { ...NO_HARDSHIPS };
for (const name of Object.keys(MET) as (keyof typeof MET)[]) MET[name] = 1;
/** As many lives as a long run has portals, each with another status. */
const LIVES = PORTAL_STATUSES.map((portal_status, seed) => ({
  plan: { seed, trouble: 'portal', portal_status },
  report: { damage: openDamageReport().damage, lines: [] },
  acknowledged: 4,
  right_refusals: 0,
  hardships: { ...MET, flips: 200 },
}));

const whyOf = (lives: typeof LIVES, long: boolean) =>
  whyNothingIsShown(lives, { long, portal_statuses: PORTAL_STATUSES });

test('A run in which every hardship came up, and the app saved, shows something', () => {
  expect(whyOf(LIVES, true)).toEqual([]);
});

test.each([
  ['never hung', { hung: 0 }, {}, true, 'no hanging requests'],
  ['was never late', { late: 0 }, {}, true, 'no requests 30 s late'],
  ['never lost 3 %', { rare_losses: 0 }, {}, true, 'no breaks of 3 % of the requests'],
  ['never redirected', { redirects: 0 }, {}, true, 'no redirects of a portal'],
  ['turned too seldom', { flips: 1 }, {}, true, 'only 6 turns of a network'],
  ['was never under another user', { user_changes: 0 }, {}, false, "no other users over an owner's unsent work"],
  ['saved next to nothing', {}, { acknowledged: 1 }, false, 'only 6 acknowledged in 6 lives'],
])('A run that %s shows nothing', (_name, hardships, life, long, reason) => {
  const lives = LIVES.map((one) => ({ ...one, ...life, hardships: { ...one.hardships, ...hardships } }));
  expect(whyOf(lives, long)).toEqual([reason]);
});

test('A long run needs each status of a portal, a short one has not enough lives for that', () => {
  const lives = LIVES.filter(({ plan }) => plan.portal_status !== 502);
  expect(whyOf(lives, true)).toEqual(['no portal with status 502']);
  expect(whyOf(lives, false)).toEqual([]);
});

test('Each trouble of a network is counted as its own', async () => {
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

test('A portal answers in HTML, by its own address too, and a phone without a network is told so', async () => {
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
