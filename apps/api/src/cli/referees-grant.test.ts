import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { runVerb } from '#test/run-verb.ts';
import { command } from './referees-grant.ts';

let api: TestApp;
let ada: SignedIn;
let center = '';
beforeAll(async () => {
  api = await buildTestApp();
  ada = await api.signIn('Ada');
  center = await makeCenter(api.database, ['swimming']);
});
afterAll(() => api.close());

const grant = (...args: string[]) => runVerb(api.database, command.run, args);

const countRights = async () => (await api.database.selectFrom('referees').select('id').execute()).length;

it('refuses an unknown athlete or center, a sport that is not offered and a closed center', async () => {
  const closed = await makeCenter(api.database);
  await api.database.updateTable('sport_centers').set({ closed_at: new Date() }).where('id', '=', closed).execute();
  const { public_id } = ada.user;
  expect(await grant('no-such-athlete', center)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no user'),
  });
  expect(await grant(public_id, randomUUID())).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no sport center'),
  });
  expect(await grant(public_id, center, '--sport', 'climbing')).toMatchObject({ code: 1 });
  expect(await grant(public_id, closed)).toMatchObject({ code: 1, stderr: expect.stringContaining('is closed') });
  expect(await countRights()).toBe(0);
});

it('gives the right for the sports of the center', async () => {
  const { code, stdout } = await grant(ada.user.public_id, center);
  expect([code, stdout]).toEqual([0, expect.stringContaining('is now a referee for swimming')]);
  expect(await countRights()).toBe(1);
});
