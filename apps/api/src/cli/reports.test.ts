import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseUser } from '#api/modules/users/erase-user.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { runVerb } from '#test/run-verb.ts';
import { command as list } from './reports-list.ts';

const MINUTE_MS = 60_000;

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());

const run = (...args: string[]) => runVerb(api.database, list.run, args);

test.each([['more'], ['--fast']])('wrong usage (%s) ends with 2 and the usage', async (word) => {
  const { code, stderr } = await run(word);
  expect(code).toBe(2);
  expect(stderr).toContain('npm run sendlap -- reports list');
});

test('lists nothing where nothing was reported', async () => {
  expect(await run()).toMatchObject({ code: 0, stdout: 'Nothing was reported.\n' });
  expect(JSON.parse((await run('--json')).stdout)).toEqual({ reports: [] });
});

test('lists who reported whom, newest first, with the messages in their order, and no text draws on the terminal', async () => {
  const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
  const [user_low = '', user_high = ''] = [ada.user.id, bea.user.id].sort();
  const chat = { id: randomUUID(), user_low, user_high, created_by: ada.user.id, last_seq: 2 };
  await api.database.insertInto('chats').values(chat).execute();
  const created_at = new Date('2026-11-21T10:00:00.000Z');
  const messages = ['\u001b[2JBuy \u009b2Jnow', 'No\u202e!'].map((text, nth) => ({
    id: randomUUID(),
    chat_id: chat.id,
    seq: nth + 1,
    sender_id: (nth === 0 ? bea : ada).user.id,
    text,
    created_at,
  }));
  await api.database.insertInto('messages').values(messages).execute();
  const common = { reporter_id: ada.user.id, reported_id: bea.user.id };
  const [first, second] = [randomUUID(), randomUUID()];
  const rows = [
    { ...common, id: first, reason: 'other', text: null, created_at },
    {
      ...common,
      id: second,
      reason: 'spam',
      text: 'Adverts\nall day',
      message_ids: messages.map(({ id }) => id).reverse(),
      created_at: new Date(created_at.getTime() + MINUTE_MS),
    },
  ];
  await api.database.insertInto('reports').values(rows).execute();

  const { reports } = JSON.parse((await run('--json')).stdout);
  expect(reports.map(({ id }: { id: string }) => id)).toEqual([second, first]);
  expect(reports[0]).toEqual({
    id: second,
    created_at: '2026-11-21T10:01:00.000Z',
    reporter: ada.user.public_id,
    reported: bea.user.public_id,
    reason: 'spam',
    text: 'Adverts\nall day',
    messages: messages.map(({ id, text, sender_id }) => ({
      id,
      sender: sender_id === ada.user.id ? ada.user.public_id : bea.user.public_id,
      text,
      created_at: '2026-11-21T10:00:00.000Z',
    })),
  });
  const { stdout } = await run();
  const json = (await run('--json')).stdout;
  expect(stdout.split('\n')).toHaveLength(5);
  expect(stdout).toContain(`${ada.user.public_id} reported ${bea.user.public_id}: spam "Adverts\\nall day"`);
  for (const mark of ['\u001b', '\u009b', '\u202e']) expect(stdout + json).not.toContain(mark);

  const gone = { is_active: false, erase_after: new Date(0) };
  await api.database.updateTable('users').set(gone).where('id', '=', ada.user.id).execute();
  expect(await eraseUser(api.database, ada.user.id, new Date())).toBe(true);
  const after = JSON.parse((await run('--json')).stdout);
  expect(JSON.stringify(after)).not.toContain(ada.user.public_id);
  expect(after.reports[0]).toMatchObject({ reporter: 'deleted-user', reported: bea.user.public_id, text: null });
});
