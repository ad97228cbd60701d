import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import { shouldAskForBioInfo } from '@sendlap/domain/bio-info/bio-info-machine.ts';
import { expect, test } from 'vitest';
import { createTab, NORA, refusal, reply } from '#test/unit/fake-server.ts';
import en from '#web/shared/i18n/en/users.json';
import type { Cached } from '#web/shared/local-db/schema.ts';
import { BIO_INFO_MESSAGES, BioInfoNotFoundError } from './bio-info-calls.ts';
import { createBioInfoFlow } from './bio-info-flow.ts';

const PATH = '/v1/users/bio-info';
const VALUES = { age: 34, weight_kg: 61.5, height_cm: 170, male: false };
const SAVED: BioInfo = {
  id: '22222222-2222-4222-8222-222222222222',
  user_id: NORA.id,
  ...VALUES,
  created_at: '2026-11-01T10:00:00.000Z',
  updated_at: '2026-11-01T10:00:00.000Z',
};
const NEWER: BioInfo = { ...SAVED, weight_kg: 63, age: 35, updated_at: '2026-11-02T10:00:00.000Z' };
const UNPLUGGED = new TypeError('Failed to fetch');

type Answers = Parameters<typeof createTab>[0];

/** The flow of the signed-in user Nora on the real request layer, against a server with the given answers. */
function createNora(answers: Answers, copy: Cached<BioInfo> | null = null) {
  const tab = createTab(answers);
  tab.token.set('token', 600);
  const device = {
    user_id: NORA.id as string | null,
    copy,
    postponed: false,
    now: 0,
    known: [] as (BioInfo | null)[],
    /** Whether the server reported no body data for Nora at start-up. */
    has_none: false,
  };
  let keys = 0;
  const flow = createBioInfoFlow({
    call: tab.call,
    userId: () => device.user_id,
    isConfirmedEmpty: async () => device.has_none,
    copies: {
      load: async () => device.copy,
      save: async (value) => {
        device.copy = { value, cached_at: device.now, expires_at: 0 };
      },
      remove: async () => {
        device.copy = null;
      },
      isPostponed: async () => device.postponed,
      postpone: async () => {
        device.postponed = true;
      },
    },
    onServerValue: (_, bio_info) => void device.known.push(bio_info),
    now: () => device.now,
    newKey: () => {
      keys += 1;
      return `key-${keys}`;
    },
  });
  return { flow, device, tab };
}

/** Returns the answers one after the other, then repeats the last one. */
function inTurn(...answers: (() => Response)[]): () => Response {
  let turn = 0;
  return () => {
    const answer = answers[Math.min(turn, answers.length - 1)];
    turn += 1;
    return answer ? answer() : refusal(500, 'internal_error');
  };
}

const bodiesOf = (requests: Request[], method: string) =>
  Promise.all(requests.filter((made) => made.method === method).map((made) => made.json()));

test('a 404 of the read is BioInfoNotFoundError: a first-time user, and the modal opens [spec 8.bio-info.not-found-code, 8.bio-info.not-found-text, 8.bio-info.first-time]', async () => {
  const { flow, device } = createNora({ [`GET ${PATH}`]: () => refusal(404, 'bio_info_not_found') });
  await flow.check();
  expect(flow.getState().check).toBe('first_time');
  expect(shouldAskForBioInfo(flow.getState())).toBe(true);
  expect(device.known).toEqual([null]);
  const { name, message } = new BioInfoNotFoundError();
  expect([name, message]).toEqual(['BioInfoNotFoundError', 'Bio information not found for this user']);
});

test('the server is not asked about a user whom it has reported without bio info, and the modal opens', async () => {
  const { flow, device, tab } = createNora({});
  device.has_none = true;
  await flow.check();
  expect(flow.getState().check).toBe('first_time');
  expect(tab.requests).toEqual([]);
  // Another device may have saved body data.
  device.has_none = false;
  device.now = 300_000;
  await flow.check();
  expect(tab.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([`GET ${PATH}`]);
});

test('a read that fails says so, and opens no modal [spec 8.bio-info.check-failed]', async () => {
  const { flow, tab } = createNora({ [`GET ${PATH}`]: () => refusal(400, 'bad_request') });
  await flow.check();
  const { check, check_error } = flow.getState();
  expect([check, (check_error as Error).message]).toEqual(['error', 'Failed to check bio-info']);
  expect(en.body.problem.checkFailed).toBe('Failed to check bio-info');
  expect(shouldAskForBioInfo(flow.getState())).toBe(false);
  await flow.check();
  expect(tab.sent).toHaveLength(2);
});

test('without network the copy of this device is shown with its age, however old', async () => {
  const copy = { value: SAVED, cached_at: 5, expires_at: 6 };
  const { flow, tab } = createNora({ [`GET ${PATH}`]: () => UNPLUGGED }, copy);
  tab.device.online = false;
  await flow.check();
  expect(flow.getState()).toMatchObject({ check: 'loaded', bio_info: SAVED, cached_at: 5 });
});

test('an answer is kept on this device, and counts for 5 minutes', async () => {
  const { flow, device, tab } = createNora({ [`GET ${PATH}`]: () => reply(SAVED) });
  await flow.check();
  device.now = 299_999;
  await flow.check();
  expect(tab.sent).toHaveLength(1);
  device.now = 300_000;
  await flow.check();
  expect(tab.sent).toHaveLength(2);
  expect([device.copy?.value, device.known.at(-1)]).toEqual([SAVED, SAVED]);
});

test('a signed-out user cannot save [spec 5.bio-info.signed-in]', async () => {
  const { flow, device, tab } = createNora({});
  device.user_id = null;
  await expect(flow.save(VALUES)).rejects.toThrow('You must be authenticated to save bio-info');
  await expect(flow.remove()).rejects.toThrow('You must be authenticated to save bio-info');
  expect(tab.sent).toEqual([]);
  expect(en.body.problem.signedOut).toBe('You must be authenticated to save bio-info');
});

test('without network nothing is saved or queued, and the words say why [spec 8.bio-info.save-failed, 8.bio-info.needs-network]', async () => {
  const { flow, device, tab } = createNora({
    [`GET ${PATH}`]: () => reply(SAVED),
    [`PATCH ${PATH}`]: () => UNPLUGGED,
    [`DELETE ${PATH}`]: () => UNPLUGGED,
  });
  await flow.check();
  tab.device.online = false;
  for (const write of [() => flow.save({ ...VALUES, age: 36 }), () => flow.remove()]) {
    await write();
    const { write: outcome, write_error, bio_info } = flow.getState();
    const text = 'Failed to save bio-info. Please check your internet connection.';
    expect([outcome, (write_error as Error).message, bio_info]).toEqual(['failed', text, SAVED]);
    expect(device.copy?.value).toEqual(SAVED);
  }
  expect(en.body.problem.saveFailed).toBe(BIO_INFO_MESSAGES.saveFailed);
  expect(tab.sent).toHaveLength(3);
});

test('the first time is a POST; sent again after no answer it carries the same key, changed it carries another', async () => {
  let answer: Response | Error = UNPLUGGED;
  const { flow, tab } = createNora({
    [`GET ${PATH}`]: () => refusal(404, 'bio_info_not_found'),
    [`POST ${PATH}`]: () => answer,
  });
  tab.device.online = false;
  await flow.check();
  await flow.save(VALUES);
  await flow.save(VALUES);
  await flow.save({ ...VALUES, age: 35 });
  answer = reply(SAVED, 201);
  await flow.save(VALUES);
  const posts = tab.requests.filter(({ method }) => method === 'POST');
  expect(posts.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['key-1', 'key-1', 'key-2', 'key-3']);
  expect(flow.getState()).toMatchObject({ check: 'loaded', write: 'saved', bio_info: SAVED });
});

test('a change is a PATCH of the changed fields, with the version that it was made on', async () => {
  const { flow, device, tab } = createNora({
    [`GET ${PATH}`]: () => reply(SAVED),
    [`PATCH ${PATH}`]: () => reply(NEWER),
  });
  await flow.check();
  await flow.save({ ...VALUES, weight_kg: 63 });
  expect(await bodiesOf(tab.requests, 'PATCH')).toEqual([{ updated_at: SAVED.updated_at, weight_kg: 63 }]);
  expect(device.copy?.value).toEqual(NEWER);
  expect(device.known).toEqual([SAVED, NEWER]);
});

test('of two versions the person sees both, and can save their own over the newer one', async () => {
  const { flow, tab } = createNora({
    [`GET ${PATH}`]: inTurn(
      () => reply(SAVED),
      () => reply(NEWER),
    ),
    [`PATCH ${PATH}`]: inTurn(
      () => refusal(409, 'bio_info_changed'),
      () => reply(NEWER),
    ),
  });
  await flow.check();
  await flow.save({ ...VALUES, weight_kg: 60 });
  const attempted = { age: 35, weight_kg: 60, height_cm: 170, male: false };
  expect(flow.getState()).toMatchObject({ write: 'conflict', bio_info: NEWER, attempted });
  await flow.save(attempted);
  expect((await bodiesOf(tab.requests, 'PATCH'))[1]).toEqual({ updated_at: NEWER.updated_at, weight_kg: 60 });
  expect(flow.getState().write).toBe('saved');
});

test('data that another device deleted can be saved again', async () => {
  const { flow, tab } = createNora({
    [`GET ${PATH}`]: inTurn(
      () => reply(SAVED),
      () => refusal(404, 'bio_info_not_found'),
    ),
    [`PATCH ${PATH}`]: () => refusal(404, 'bio_info_not_found'),
    [`POST ${PATH}`]: () => reply(NEWER, 201),
  });
  await flow.check();
  await flow.save({ ...VALUES, weight_kg: 60 });
  expect(flow.getState()).toMatchObject({ write: 'conflict', bio_info: null, attempted: { ...VALUES, weight_kg: 60 } });
  await flow.save({ ...VALUES, weight_kg: 60 });
  expect(tab.sent.at(-1)).toBe(`POST ${PATH}`);
  expect(flow.getState().write).toBe('saved');
});

test('"Later" and a deletion hold until the next sign-in, over restarts', async () => {
  const { flow, device } = createNora({
    [`GET ${PATH}`]: () => refusal(404, 'bio_info_not_found'),
    [`DELETE ${PATH}`]: () => reply({}),
  });
  await flow.check();
  flow.postpone();
  expect([shouldAskForBioInfo(flow.getState()), device.postponed]).toEqual([false, true]);
  flow.signOut();
  await flow.check();
  expect(shouldAskForBioInfo(flow.getState())).toBe(false);
  flow.signOut();
  device.postponed = false;
  await flow.check();
  expect(shouldAskForBioInfo(flow.getState())).toBe(true);
  await flow.remove();
  expect([shouldAskForBioInfo(flow.getState()), device.postponed]).toEqual([false, true]);
});

test('an answer that comes after its owner has left is neither shown nor kept', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { flow, device } = createNora({ [`GET ${PATH}`]: () => promise });
  const checking = flow.check();
  device.user_id = null;
  flow.signOut();
  resolve(reply(SAVED));
  await checking;
  expect([flow.getState().check, device.copy, device.known]).toEqual(['not_checked', null, []]);
});
