import { describe, expect, test } from 'vitest';
import { checkChat, checkChatId, checkFriendId } from './chat-ids.ts';

const ID = '0b5c1f0e-3a5d-4c8e-9f00-1234567890ab';

describe('a chat id', () => {
  test.each([
    [null, 'null'],
    [undefined, 'undefined'],
    ['', ''],
    [5, '5'],
    [Symbol('id'), 'Symbol(id)'],
    [Object.create(null), '[object Object]'],
  ])('%s is no usable one, and is named', (value, name) => {
    expect(checkChatId(value)).toEqual({ ok: false, problem: { code: 'no_chat_id', value: name } });
  });

  test.each(['abc', ` ${ID}`, ID.replace('4c8e', '1c8e'), ID.replace('9f00', 'cf00')])(
    '%s is no UUID v4, and is named',
    (value) => {
      expect(checkChatId(value)).toEqual({ ok: false, problem: { code: 'no_uuid', value } });
    },
  );

  test('a long value is cut before it is shown', () => {
    const problem = { code: 'no_uuid', value: `${'x'.repeat(80)}…` };
    expect(checkChatId('x'.repeat(5000))).toEqual({ ok: false, problem });
  });

  test('is a UUID v4 in either letter case [spec 5.chat-id.uuid]', () => {
    expect(checkChatId(ID)).toEqual({ ok: true, id: ID });
    expect(checkChatId(ID.toUpperCase())).toEqual({ ok: true, id: ID });
  });
});

describe('the opened chat', () => {
  test.each([null, undefined, ID, 7, {}, { id: null }, { id: 'abc' }])('%j is no chat', (value) => {
    expect(checkChat(value)).toEqual({ ok: false, problem: { code: 'no_chat' } });
  });

  test('is an object with a valid id', () => {
    expect(checkChat({ id: ID, name: 'Bea' })).toEqual({ ok: true, id: ID });
  });
});

describe('a friend id', () => {
  test.each([null, undefined, '', 'bea', 3, ID.slice(1)])('%j is no id', (value) => {
    expect(checkFriendId(value)).toEqual({ ok: false, problem: { code: 'no_friend' } });
  });

  test('is a UUID v4 [spec 5.friend-id.uuid]', () => {
    expect(checkFriendId(ID.toUpperCase())).toEqual({ ok: true, id: ID });
  });
});
