import { randomUUID } from 'node:crypto';
import type { Sport } from '@sendlap/domain/sports.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { signInAgain } from '#test/scenes/filled-person.ts';
import { inviteKiosk, inviteReferee, revokeReferee } from '#test/scenes/invites.ts';

type Caller = Pick<SignedIn, 'headers'>;
const DAY_MS = 86_400_000;

let api: TestApp;
let center = '';
let ahead_ms = 0;
beforeAll(async () => {
  const seed = async (database: TestApp['database']) => {
    center = await makeCenter(database);
  };
  api = await buildTestApp({ seed, now: () => new Date(Date.now() + ahead_ms) });
});
afterAll(() => api.close());

const invite = (...args: string[]) => inviteReferee(api.database, center, ...args);

async function redeem(who: Caller, code: string) {
  const url = '/v1/referees/invites/redeem';
  const reply = await api.app.inject({ method: 'POST', url, headers: who.headers, payload: { code } });
  return { status: reply.statusCode, ...reply.json() };
}

async function listRights(who: Caller): Promise<{ sport_center_id: string; sport_types: Sport[] }[]> {
  const reply = await api.app.inject({ url: '/v1/referees/me', headers: who.headers });
  return reply.json().data.items;
}

const countRights = async ({ user }: SignedIn) =>
  (await api.database.selectFrom('referees').select('id').where('user_id', '=', user.id).execute()).length;

describe('an invite is refused', () => {
  test('as mistyped if no referee was invited by the code, else as used or expired', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    const used = await invite();
    expect((await redeem(bea, used)).status).toBe(200);
    const of_kiosk = await inviteKiosk(api.database, center);
    const closing = await makeCenter(api.database);
    const closed = await inviteReferee(api.database, closing);
    await api.database.updateTable('sport_centers').set({ closed_at: new Date() }).where('id', '=', closing).execute();
    const refusalOf = async (code: string) => {
      const reply = await redeem(ada, code);
      expect(reply.status).toBe(422);
      return reply.code;
    };
    for (const code of ['never-made-it', of_kiosk]) expect(await refusalOf(code)).toBe('invite_unknown');
    for (const code of [used, closed]) expect(await refusalOf(code)).toBe('invite_invalid');
    expect(await listRights(ada)).toEqual([]);
  });

  test('24 hours after it was made', async () => {
    const ada = await api.signIn('Ada');
    const code = await invite();
    ahead_ms = DAY_MS;
    const later = await signInAgain(api, ada.user.id, 'Phone', () => Date.now() + ahead_ms);
    expect((await redeem(later, code)).code).toBe('invite_invalid');
    ahead_ms = 0;
    expect((await redeem(ada, code)).status).toBe(200);
  });

  test('to its first user, once the right was revoked', async () => {
    const ada = await api.signIn('Ada');
    const code = await invite();
    await redeem(ada, code);
    expect((await revokeReferee(api.database, ada.user.public_id, center)).code).toBe(0);
    expect((await redeem(ada, code)).code).toBe('invite_invalid');
    expect(await listRights(ada)).toEqual([]);
  });

  test('as unreadable, when no invite could look like it', async () => {
    const ada = await api.signIn('Ada');
    for (const code of ['', 'short', 'x'.repeat(65), 'with space', 'ünïcödé-code']) {
      expect((await redeem(ada, code)).code).toBe('validation_failed');
    }
  });

  test('unread after ten tries in an hour, also a good one', async () => {
    const ada = await api.signIn('Ada');
    for (let tries = 0; tries < 10; tries += 1) await redeem(ada, `guess-${tries}-xxxx`);
    expect((await redeem(ada, await invite())).status).toBe(429);
  });
});

describe('an invite', () => {
  test('makes a referee of its center, its sports and its time', async () => {
    const ada = await api.signIn('Ada');
    const { data } = await redeem(ada, await invite('--sports', 'climbing', '--until', '2090-06-30'));
    expect(data).toEqual({
      sport_center_id: center,
      sport_center_name: expect.stringContaining('Polideportivo'),
      sport_types: ['climbing'],
      valid_until: '2090-06-30T22:00:00.000Z',
    });
    expect(await listRights(ada)).toEqual([data]);
  });

  test('may be typed in capitals and in groups', async () => {
    const ada = await api.signIn('Ada');
    const code = (await invite()).toUpperCase();
    const typed = `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`;
    expect((await redeem(ada, typed)).status).toBe(200);
  });

  test('gives the same right to the same person again, also at once, and makes one', async () => {
    const ada = await api.signIn('Ada');
    const code = await invite();
    const replies = await Promise.all(Array.from({ length: 6 }, () => redeem(ada, code)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(await countRights(ada)).toBe(1);
  });

  test('makes one referee, when several people try it at once', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, (_, number) => api.signIn(`Person ${number}`)));
    const code = await invite();
    const replies = await Promise.all(people.map((person) => redeem(person, code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 422)]);
    const counts = await Promise.all(people.map(countRights));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
  });

  test('adds nothing to the list that another right says already', async () => {
    const ada = await api.signIn('Ada');
    await redeem(ada, await invite('--sports', 'climbing', '--until', '2090-06-30'));
    await redeem(ada, await invite('--sports', 'climbing,swimming'));
    await redeem(ada, await invite('--sports', 'climbing,swimming'));
    await redeem(ada, await invite('--sports', 'swimming'));
    expect(await listRights(ada)).toMatchObject([{ sport_types: ['climbing', 'swimming'], valid_until: null }]);
    expect(await countRights(ada)).toBe(4);
  });
});

test('which sports have a referee is public, and never who it is', async () => {
  const ada = await api.signIn('Ada');
  const own_center = await makeCenter(api.database);
  const node = await buildTestApp({ database_url: api.database_url });
  const readProofs = async (id: string) => (await node.app.inject({ url: `/v1/sport-centers/${id}/proofs` })).json();
  expect(await readProofs(randomUUID())).toMatchObject({ code: 'sport_center_not_found' });
  expect((await readProofs(own_center)).data).toEqual({ referee_sports: [], has_kiosk: false });
  await redeem(ada, await inviteReferee(api.database, own_center, '--sports', 'swimming'));
  expect((await readProofs(own_center)).data).toEqual({ referee_sports: ['swimming'], has_kiosk: false });
  // A referee about to be erased will not come to confirm anything.
  await api.database.updateTable('users').set({ is_active: false }).where('id', '=', ada.user.id).execute();
  expect((await readProofs(own_center)).data.referee_sports).toEqual([]);
  await node.close();
});
