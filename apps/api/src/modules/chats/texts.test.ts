import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { type ChatScene, openChatScene } from '#test/scenes/chat-scene.ts';

let api: TestApp;
let scene: ChatScene;
let ada: SignedIn;
let ben: SignedIn;
let chat_id = '';
beforeAll(async () => {
  api = await buildTestApp();
  scene = openChatScene(api);
  ({ ada, ben, chat_id } = await scene.openChat());
});
afterAll(() => api.close());

const WALL = '\u{1f9d7}';
const sendRaw = (who: SignedIn, body: string) =>
  api.app.inject({
    method: 'POST',
    url: `/v1/chats/${chat_id}/messages`,
    headers: { ...who.headers, 'content-type': 'application/json' },
    body,
  });

describe('refusals', () => {
  test.each([
    ['nothing', '', 'message_empty'],
    ['white space', ' \t\n\u00a0\u3000', 'message_empty'],
    ['20,001 letters', 'a'.repeat(20_001), 'message_too_long'],
    ['20,001 code points of four bytes', WALL.repeat(20_001), 'message_too_long'],
  ])('%s is no message [spec 5.message.empty]', async (_name, text, code) => {
    const reply = await scene.send(ada, chat_id, text);
    expect([reply.status, reply.code]).toEqual([422, code]);
    expect((await scene.read(ada, chat_id)).data).toEqual([]);
  });

  test.each([
    ['U+0000', '{"message":"a\\u0000b"}'],
    ['half a pair', '{"message":"a\\ud83e"}'],
    ['the other half', '{"message":"\\udde7b"}'],
  ])('a text with %s is refused as a whole', async (_name, body) => {
    const reply = await sendRaw(ada, body);
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'bad_request']);
    expect((await scene.read(ada, chat_id)).data).toEqual([]);
  });

  test.each(['{}', '{"message":1}', '{"message":"a","sender_id":"b"}', '{"message":"a","client_id":"b"}'])(
    'the body %s is refused',
    async (body) => {
      const reply = await sendRaw(ada, body);
      expect([reply.statusCode, reply.json().code]).toEqual([400, 'validation_failed']);
    },
  );

  test('an Idempotency-Key that is no UUID v4 is refused', async () => {
    const url = `/v1/chats/${chat_id}/messages`;
    const reply = await scene.call(ada, 'POST', url, { message: 'Hello' }, { 'idempotency-key': 'x' });
    expect([reply.status, reply.code]).toEqual([400, 'validation_failed']);
  });

  test('the id of another message is refused: other text, other chat, other sender', async () => {
    const { data } = await scene.send(ada, chat_id, 'The first');
    const other = await scene.openChat();
    const refused = [
      await scene.send(ada, chat_id, 'The second', data.id),
      await scene.send(ben, chat_id, 'The first', data.id),
      await scene.send(other.ada, other.chat_id, 'The first', data.id),
    ];
    for (const reply of refused) {
      expect([reply.status, reply.code]).toEqual([422, 'idempotency_mismatch']);
      expect(JSON.stringify(reply)).not.toContain('The first');
    }
    expect((await scene.readAll(ben, chat_id)).map(({ message }) => message)).toEqual(['The first']);
    expect(await scene.readAll(other.ben, other.chat_id)).toEqual([]);
  });
});

test('white space goes from both ends of a text, and from nowhere else [spec 5.message.trim]', async () => {
  const { data } = await scene.send(ada, chat_id, '\n  two  words \r\n\tand a line\u2003\n');
  expect(data.message).toBe('two  words \r\n\tand a line');
});

test.each([
  ['a family joined by ZWJ', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['a flag and a skin tone', '\u{1f1ea}\u{1f1f8} \u{1f44d}\u{1f3fd}'],
  ['a right-to-left override', 'a\u202egpj.exe\u202c'],
  ['Arabic and Hebrew', '\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd'],
  ['letters that normalisation would change', 'e\u0301 \u00e9 \ufb01 \u212b'],
  ['marks piled up', `Z${'\u0301'.repeat(300)}`],
  ['what SQL and arrays would read', `{"a","b"}, \\ '; drop table messages; -- NULL`],
  ['only the word NULL', 'NULL'],
  ['a script', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['an address that runs', 'javascript:alert(1)'],
  ['a template', '{{constructor.constructor("alert(1)")()}} %0 $1'],
  ['control characters', '\u0001\u001b[31m\u007f'],
  ['20,000 letters', 'a'.repeat(20_000)],
  ['20,000 code points of four bytes', WALL.repeat(20_000)],
  ['a line separator', 'one\u2028two'],
])('%s is stored as sent, read by the other one and announced [spec 5.message.no-limit]', async (_name, text) => {
  const { data, status } = await scene.send(ada, chat_id, text);
  expect([status, data.message]).toEqual([201, text]);
  expect((await scene.read(ben, chat_id, '?limit=1')).data).toEqual([data]);
  for (const who of [ada, ben]) {
    expect((await scene.eventsOf(who)).at(-1)).toEqual({ type: 'message_created', message: data });
  }
});

test('a page is the very text that JSON.stringify writes of its messages', async () => {
  const opened = await scene.openChat(['Ada "the\\Rock"', 'Ben']);
  const texts = ['Tie "it" \\ in', `\b\f\n\r\t\u0001\u001f\u007f x`, `${WALL} \u2028 \u00f1 </script>`];
  const sent = [];
  for (const text of texts) sent.push((await scene.send(opened.ada, opened.chat_id, text)).data);
  sent.push((await scene.send(opened.ben, opened.chat_id, 'Up')).data);
  await scene.markRead(opened.ben, opened.chat_id, [sent[0]?.id ?? '']);
  const { data } = await scene.read(opened.ada, opened.chat_id);
  expect(data[0]?.read_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const url = `/v1/chats/${opened.chat_id}/messages`;
  const page = async (query: string) =>
    (await api.app.inject({ method: 'GET', url: url + query, headers: opened.ada.headers })).body;
  const [first, ...others] = sent;
  const messages = [{ ...first, read_at: data[0]?.read_at }, ...others];
  expect(await page('')).toBe(JSON.stringify({ success: true, data: messages }));
  expect(await page('?after=4')).toBe('{"success":true,"data":[]}');
});

test('a preview is the first 120 code points on one line, whole ones', async () => {
  await scene.send(ada, chat_id, `${'\n x'.repeat(3)} ${WALL.repeat(4_000)}`);
  const [chat] = (await scene.list(ben)).data;
  expect(chat?.latest_message_preview).toBe(`x x x ${WALL.repeat(114)}`);
});

test('a repeat is the stored message, by client_id or by Idempotency-Key, in either letter case', async () => {
  const opened = await scene.openChat();
  const [by_id, by_key, copy_id] = [randomUUID(), randomUUID(), randomUUID()];
  const first = await scene.send(opened.ada, opened.chat_id, 'Once', by_id);
  const url = `/v1/chats/${opened.chat_id}/messages`;
  const sendByKey = (key: string) =>
    scene.call(opened.ada, 'POST', url, { message: ' Twice' }, { 'idempotency-key': key });
  const second = await sendByKey(by_key);
  await scene.markRead(opened.ben, opened.chat_id, [by_id]);
  expect(second).toMatchObject({ status: 201, replayed: false, data: { id: by_key, seq: 2 } });
  const again = await scene.send(opened.ada, opened.chat_id, '  Once', by_id.toUpperCase());
  expect(again).toMatchObject({ status: 201, replayed: true, data: { ...first.data, read_at: expect.any(String) } });
  expect(await sendByKey(by_key.toUpperCase())).toMatchObject({ status: 201, replayed: true, data: { seq: 2 } });
  const copies = await Promise.all(
    Array.from({ length: 20 }, () => scene.send(opened.ada, opened.chat_id, 'Copy', copy_id)),
  );
  expect(copies.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(copies.map(({ status, data }) => `${status} ${data.seq}`))).toEqual(new Set(['201 3']));
  expect((await scene.readAll(opened.ben, opened.chat_id)).map(({ seq, message }) => [seq, message])).toEqual([
    [1, 'Once'],
    [2, 'Twice'],
    [3, 'Copy'],
  ]);
  expect((await scene.list(opened.ben)).data).toMatchObject([{ unreadCount: 2 }]);
});
