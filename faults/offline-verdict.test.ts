import { expect, test } from 'vitest';
import { isRightTime } from '../e2e/offline/alterations.ts';
import { isClaimTrue } from '../e2e/offline/claims.ts';
import { allowedStatuses, openNotebook } from '../e2e/offline/notebook.ts';
import { judgeResolution } from '../e2e/offline/overlap-verdict.ts';
import { NO_ROWS, type PhoneRows } from '../e2e/offline/phone-rows.ts';
import { judge, NO_DAMAGE, openDamageReport } from '../e2e/offline/verdict.ts';

const [ANA, BEN] = ['ana', 'ben'];
const NO_SERVER_ROWS = { activities: [], ops: [], refusals: [], messages: [] };

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

const NOTHING_WRONG = { ...NO_DAMAGE, right_refusals: 0 };
const dateOf = (hour: number) => new Date(`2026-11-20T${hour}:00:00Z`);
const [TEN, ELEVEN, NOON] = [dateOf(10), dateOf(11), dateOf(12)];
const swim = (changes: object = {}) => ({
  id: 'swim',
  user_id: ANA,
  status: 'finished',
  started_at: TEN,
  ended_at: ELEVEN,
  ...changes,
});

test('Activities and ops that arrived once, for their own user, are no damage', () => {
  const ops = ['start', 'finish'].map((kind) => ({ activity_id: 'swim', kind }));
  expect(damageOf({ server: { activities: [swim()], ops } })).toEqual(NOTHING_WRONG);
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
  expect(damageOf({ server, phones: [phone] })).toEqual({ ...NOTHING_WRONG, ...damage });
});

const MINUTE_MS = 60_000;
const momentOf = (hour: string) => ({ at: spanFrom(Date.parse(`2026-11-20T${hour}:00Z`)) });
const spanFrom = (from_ms: number) => ({ from_ms, until_ms: from_ms + 5_000 });
const POOL = { center_id: 'pool', sport_type: 'swimming' };
const entered = (changes: object = {}) => ({
  ...swim(),
  sport_center_id: 'pool',
  sport_type: 'swimming',
  distance_m: 50,
  local_date: '2026-11-20',
  time_zone: 'Europe/Madrid',
  ...changes,
});

/** Ana's swim of two lengths from 10 to 11, as she entered it. */
function noteEnteredSwim() {
  const notebook = openNotebook();
  notebook.noteStep(ANA, 'swim', 'start', true, { ...momentOf('10:00'), ...POOL });
  notebook.noteStep(ANA, 'swim', 'finish', true, { ...momentOf('11:00'), distance_m: 50 });
  return notebook;
}

test.each([
  ['as it was entered', {}, 0],
  ['within the minute in which no clock is corrected', { started_at: new Date(TEN.getTime() - MINUTE_MS + 1) }, 0],
  ['with another start', { started_at: new Date(TEN.getTime() + 2 * MINUTE_MS) }, 1],
  ['with another end', { ended_at: NOON }, 1],
  ['on another day', { local_date: '2026-11-21' }, 1],
  ['three days late', { local_date: '2026-11-23', started_at: new Date('2026-11-23T10:00:00Z'), ended_at: null }, 2],
  ['with a lost length', { distance_m: 25 }, 1],
  ['without its lengths', { distance_m: null }, 1],
  ['at another center', { sport_center_id: 'wall' }, 1],
  ['as another sport', { sport_type: 'climbing' }, 1],
])('A saved activity that the server has %s counts so many changes', (_name, changes, altered) => {
  const server = { activities: [entered(changes)] };
  expect(damageOf({ notebook: noteEnteredSwim(), server })).toEqual({ ...NOTHING_WRONG, altered });
});

test('The day is the local one of the center', () => {
  const late = new Date('2026-11-20T23:30:00Z');
  const notebook = openNotebook();
  notebook.noteStep(ANA, 'swim', 'start', true, { ...momentOf('23:30'), ...POOL });
  const alterationsOn = (local_date: string) =>
    damageOf({ notebook, server: { activities: [entered({ status: 'active', started_at: late, local_date })] } })
      .altered;
  expect(alterationsOn('2026-11-21')).toBe(0);
  expect(alterationsOn('2026-11-20')).toBe(1);
});

test('The finish that was not undone counts, and either of two if one was not reported as saved', () => {
  const notebook = noteEnteredSwim();
  const alterations = (changes: object, phones = [{}]) =>
    damageOf({ notebook, phones, server: { activities: [entered(changes)] } }).altered;
  notebook.noteStep(ANA, 'swim', 'undo_finish', true);
  notebook.noteStep(ANA, 'swim', 'finish', true, { ...momentOf('12:00'), distance_m: 75 });
  expect(alterations({ ended_at: NOON, distance_m: 75 })).toBe(0);
  expect(alterations({})).toBe(2);
  expect(alterations({}, [{}, {}])).toBe(0);
  expect(alterations({ status: 'deleted' })).toBe(0);
  notebook.noteStep(ANA, 'swim', 'undo_finish', true);
  notebook.noteStep(ANA, 'swim', 'finish', false, { ...momentOf('13:00'), distance_m: 100 });
  expect(alterations({ ended_at: new Date('2026-11-20T13:00:00Z'), distance_m: 100 })).toBe(0);
  expect(alterations({ ended_at: NOON, distance_m: 75 })).toBe(2);
});

test('A start that the app never showed may have begun at any of its times', () => {
  const notebook = openNotebook();
  notebook.noteUnseenStart(ANA, { ...momentOf('09:00'), ...POOL });
  notebook.noteUnseenStart(ANA, { ...momentOf('10:00'), ...POOL });
  const alterations = (started_at: Date) =>
    damageOf({ notebook, server: { activities: [entered({ status: 'active', started_at })] } }).altered;
  expect(alterations(TEN)).toBe(0);
  expect(alterations(NOON)).toBe(1);
  notebook.noteSeen(ANA, 'swim');
  expect(alterations(TEN)).toBe(0);
  expect(alterations(NOON)).toBe(1);
});

test('The app that asks for a time must offer the right one', () => {
  const steps = noteEnteredSwim().activities.get('swim')?.steps ?? [];
  const right = { started_at: TEN.toISOString(), ended_at: ELEVEN.toISOString() };
  expect(isRightTime(right, steps)).toBe(true);
  expect(isRightTime({ ...right, ended_at: null }, steps)).toBe(true);
  expect(isRightTime({ ...right, ended_at: NOON.toISOString() }, steps)).toBe(false);
  expect(isRightTime({ ...right, started_at: '2026-11-23T10:00:00Z' }, steps)).toBe(false);
});

test.each([
  ['start', undefined, 1, false],
  ['start', 'active', 1, true],
  ['start', 'finished', 1, false],
  ['start', 'finished', 2, true],
  ['finish', 'active', 1, false],
  ['finish', 'active', 2, false],
  ['finish', 'finished', 1, true],
  ['finish', 'deleted', 1, false],
  ['finish', 'deleted', 2, true],
] as const)('"Saved on the server" of a %s, %s there, on one of %d phones: %s', (claim, status, phones, is_true) => {
  expect(isClaimTrue(claim, status, phones)).toBe(is_true);
});

test.each([
  ['merge', 'contains both', [{ ended_at: NOON, distance_m: 75 }], 0],
  [
    'merge',
    'begins before both',
    [{ started_at: new Date('2026-11-20T09:00:00Z'), ended_at: NOON, distance_m: 75 }],
    0,
    1,
  ],
  ['merge', 'ends after both', [{ ended_at: dateOf(13), distance_m: 75 }], 0, 1],
  ['merge', 'has more lengths than both', [{ ended_at: NOON, distance_m: 150 }], 0, 1],
  ['merge', 'is only the saved one', [{ distance_m: 75 }], 1],
  ['merge', 'has the lengths of one phone', [{ ended_at: NOON }], 1],
  ['merge', 'is gone', [{ status: 'deleted' }], 2],
  ['merge', 'still runs', [{ ended_at: null, status: 'active' }], 0, 1],
  ['keep the saved one', 'is only the saved one', [{}], 0],
  ['keep the saved one', 'was shortened', [{ started_at: new Date('2026-11-20T10:30:00Z') }], 1],
  ['keep the saved one', 'is gone', [], 1],
  ['keep the saved one', 'became longer', [{ ended_at: NOON }], 0, 1],
])('After the choice "%s", an activity that %s is damage', (choice, _state, rows, lost, altered = 0) => {
  const times = { started_at: '2026-11-20T10:30:00Z', ended_at: NOON.toISOString() };
  const own = { client_id: 'other', ...times, lengths: 3, distance_m: 75 };
  const report = openDamageReport();
  judgeResolution({ choice, own, before: [entered()], after: rows.map((changes) => entered(changes)) }, report);
  expect(report.damage).toMatchObject({ lost, altered });
});

test('A phone that sends a wrong time was not rightly refused, although another activity is at that time', () => {
  const times = { started_at: '2026-11-23T10:30:00Z', ended_at: '2026-11-23T10:45:00Z' };
  const dead = [{ client_id: 'swim', kind: 'start', code: 'activity_overlap' }];
  const activities = [{ client_id: 'swim', ...times, lengths: 0, distance_m: null }];
  const on_that_day = { started_at: new Date('2026-11-23T10:00:00Z'), ended_at: new Date('2026-11-23T11:00:00Z') };
  const notebook = noteEnteredSwim();
  notebook.noteStep(ANA, 'other', 'start', true);
  const judged = damageOf({
    notebook,
    server: { activities: [swim({ id: 'other', status: 'active', ...on_that_day })] },
    phones: [{ dead, activities }, {}],
  });
  expect(judged).toMatchObject({ lost: 1, right_refusals: 0 });
});

test('A message has another text, or comes before an earlier one of the same phone', () => {
  const notebook = openNotebook();
  for (const text of ['one', 'two']) notebook.noteMessage(ANA, text, true, 'phone');
  notebook.noteMessage(ANA, 'three', true, 'other phone');
  const judged = (...texts: string[]) =>
    damageOf({ notebook, server: { messages: texts.map((text) => ({ sender_id: ANA, text })) } });
  expect(judged('three', 'one', 'two')).toEqual(NOTHING_WRONG);
  expect(judged('two', 'one', 'three')).toEqual({ ...NOTHING_WRONG, altered: 1 });
  expect(judged('one', 'tw', 'three')).toEqual({ ...NOTHING_WRONG, altered: 1, lost: 1 });
});

test('The server may refuse overlapping activities of two phones, and nothing else', () => {
  const times = { started_at: '2026-11-20T10:30:00Z', ended_at: '2026-11-20T10:45:00Z' };
  const phones = (code: string) => [
    {
      dead: [{ client_id: 'swim', kind: 'start', code }],
      activities: [{ client_id: 'swim', ...times, lengths: 0, distance_m: null }],
    },
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
  expect(judged({})).toEqual({ ...NOTHING_WRONG, right_refusals: 1 });
  expect(judged({ ended_at: null })).toEqual({ ...NOTHING_WRONG, right_refusals: 1 });
  expect(judged({ started_at: ELEVEN, ended_at: NOON })).toEqual({ ...NOTHING_WRONG, lost: 1 });
  expect(judged({}, 'activity_in_future')).toEqual({ ...NOTHING_WRONG, lost: 1 });
  expect(damageOf({ phones: phones('activity_overlap') })).toEqual({ ...NOTHING_WRONG, lost: 1 });

  const afterDeletion = (...refused_at: Date[]) => {
    const ops = ['start', 'finish', 'delete'].map((kind) => ({ activity_id: 'other', kind, received_at: ELEVEN }));
    const noted = notebook();
    for (const step of ['finish', 'delete'] as const) noted.noteStep(ANA, 'other', step, true);
    return damageOf({
      server: {
        activities: [swim({ id: 'other', status: 'deleted' })],
        ops,
        refusals: refused_at.map((received_at) => ({ activity_id: 'swim', code: 'activity_overlap', received_at })),
      },
      phones: phones('activity_overlap'),
      notebook: noted,
    });
  };
  expect(afterDeletion(TEN)).toEqual({ ...NOTHING_WRONG, right_refusals: 1 });
  expect(afterDeletion(NOON)).toEqual({ ...NOTHING_WRONG, lost: 1 });
  expect(afterDeletion(TEN, NOON)).toEqual({ ...NOTHING_WRONG, lost: 1 });
  expect(afterDeletion()).toEqual({ ...NOTHING_WRONG, lost: 1 });
});

test('A message is lost, doubled, refused, or sent with another text; one that was not saved may be missing', () => {
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
    ...NOTHING_WRONG,
    lost: 2,
    doubled: 1,
    sent_as_another: 1,
  });
});

test('A start that the app never showed may be there once, and the screens may show it later', () => {
  const notebook = openNotebook();
  notebook.noteUnseenStart(ANA);
  const active = swim({ id: 'unseen', status: 'active' });
  expect(damageOf({ notebook, server: { activities: [active] } })).toEqual(NOTHING_WRONG);
  const twice = { activities: [active, { ...active, id: 'again' }] };
  expect(damageOf({ notebook, server: twice })).toEqual({ ...NOTHING_WRONG, doubled: 1 });
  notebook.noteSeen(ANA, 'unseen');
  expect(damageOf({ notebook })).toEqual({ ...NOTHING_WRONG, lost: 1 });
});

test('A step that was not reported as saved allows both states; an undone one only the previous one', () => {
  const steps = (...noted: [Parameters<ReturnType<typeof openNotebook>['noteStep']>[2], boolean][]) =>
    [...allowedStatuses(noted.map(([step, is_saved]) => ({ step, is_saved })))].sort();
  expect(steps(['start', true])).toEqual(['active']);
  expect(steps(['start', true], ['finish', false])).toEqual(['active', 'finished']);
  expect(steps(['start', true], ['finish', true], ['undo_finish', true])).toEqual(['active']);
  expect(steps(['start', true], ['finish', true], ['delete', true])).toEqual(['deleted']);
  expect(steps(['start', true], ['finish', true], ['delete', true], ['undo_delete', true])).toEqual(['finished']);
});
