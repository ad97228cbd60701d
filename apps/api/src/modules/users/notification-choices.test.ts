import { saveBioInfo } from '@sendlap/contract/bio-info.ts';
import { getSettings, updateSettings } from '@sendlap/contract/users.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { send } from '#test/scenes/filled-person.ts';

const UNCHOSEN = { messages: true, friends: true, proofs: true, show_text: false, quiet_hours: null };
const NIGHT = { from: '22:30', until: '07:00', time_zone: 'Europe/Madrid' };

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());

const set = (who: SignedIn, changes: object) => send(api, who, 'PATCH', updateSettings.path, changes);
const read = async (who: SignedIn) => (await send(api, who, 'GET', getSettings.path)).data.notifications;

describe('refusals', () => {
  test.each([
    ['an unknown zone', { ...UNCHOSEN, quiet_hours: { ...NIGHT, time_zone: 'Mars/Olympus' } }],
    ['a bare offset', { ...UNCHOSEN, quiet_hours: { ...NIGHT, time_zone: '+01:00' } }],
    ['an invalid time', { ...UNCHOSEN, quiet_hours: { ...NIGHT, until: '24:00' } }],
    ['a kind that is not there', { ...UNCHOSEN, gossip: true }],
    ['a kind that is not there, alone', { gossip: true }],
    ['a kind that is neither on nor off', { messages: null }],
    ['quiet hours that begin and never end', { quiet_hours: { from: '22:30', time_zone: 'Europe/Madrid' } }],
    ['quiet hours of no place', { quiet_hours: { from: '22:30', until: '07:00' } }],
    ['no choices at all', null],
  ])('%s changes nothing, and nothing beside it', async (_what, notifications) => {
    const ada = await api.signIn('Ada');
    const reply = await set(ada, { display_name: 'Other', notifications });
    expect(reply).toMatchObject({ status: 400, code: 'validation_failed' });
    const { data } = await send(api, ada, 'GET', getSettings.path);
    expect(data).toMatchObject({ display_name: 'Ada', notifications: UNCHOSEN });
  });

  test('choices beside a change that is refused are not kept', async () => {
    const ada = await api.signIn('Ada');
    await send(api, ada, 'POST', saveBioInfo.path, { age: 12, weight_kg: 40, height_cm: 150, male: null });
    const changes = { presence: true, notifications: { ...UNCHOSEN, messages: false } };
    expect(await set(ada, changes)).toMatchObject({ status: 409 });
    expect(await read(ada)).toEqual(UNCHOSEN);
  });
});

test('a user without choices is notified of everything, but without the message texts', async () => {
  expect(await read(await api.signIn('Ada'))).toEqual(UNCHOSEN);
});

test('no change changes nothing', async () => {
  const ada = await api.signIn('Ada');
  expect((await set(ada, { notifications: {} })).data.notifications).toEqual(UNCHOSEN);
  await set(ada, { notifications: { messages: false } });
  expect((await set(ada, { notifications: {} })).data.notifications).toEqual({ ...UNCHOSEN, messages: false });
  expect((await set(ada, { boards: false, notifications: {} })).data.notifications.messages).toBe(false);
});

test('each choice is changed without the others, which another device may have changed', async () => {
  const ada = await api.signIn('Ada');
  const chosen = { messages: false, friends: false, proofs: false, show_text: true, quiet_hours: NIGHT };
  let expected: object = UNCHOSEN;
  for (const [key, value] of Object.entries(chosen)) {
    expected = { ...expected, [key]: value };
    expect((await set(ada, { notifications: { [key]: value } })).data.notifications).toEqual(expected);
    expect(await read(ada)).toEqual(expected);
  }
  await set(ada, { notifications: { quiet_hours: null } });
  expect(await read(ada)).toEqual({ ...chosen, quiet_hours: null });
});

test('changes of two devices at once both stay, from the first choice on', async () => {
  for (let round = 0; round < 10; round += 1) {
    const ada = await api.signIn('Ada');
    const changes = [{ messages: false }, { friends: false }, { quiet_hours: NIGHT }];
    const replies = await Promise.all(changes.map((notifications) => set(ada, { notifications })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await read(ada)).toEqual({ ...UNCHOSEN, messages: false, friends: false, quiet_hours: NIGHT });
  }
});

test('choices are kept as made, are replaced together where all are given, and apply to no other user', async () => {
  const [ada, ben] = [await api.signIn('Ada'), await api.signIn('Ben')];
  const chosen = { messages: true, friends: false, proofs: false, show_text: true, quiet_hours: NIGHT };
  expect((await set(ada, { notifications: chosen })).data.notifications).toEqual(chosen);
  expect(await read(ada)).toEqual(chosen);
  const with_name = { display_name: 'Ada B.', notifications: { ...chosen, quiet_hours: null } };
  expect((await set(ada, with_name)).data).toMatchObject(with_name);
  expect((await set(ada, { boards: true })).data.notifications).toEqual(with_name.notifications);
  expect(await read(ben)).toEqual(UNCHOSEN);
});
