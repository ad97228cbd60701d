import { expect, test } from 'vitest';
import type { MessageLine } from '../data/message-lines.ts';
import { buildRows, firstNewId } from './message-rows.ts';

const NOON = new Date(2026, 10, 22, 12).getTime();
const MINUTE_MS = 60_000;

const line = (id: string, minutes: number, more: Partial<MessageLine> = {}): MessageLine => ({
  id,
  seq: 1,
  text: id,
  mine: false,
  sender_name: 'Bea',
  created_at: NOON + minutes * MINUTE_MS,
  status: 'received',
  problem: null,
  unread: false,
  ...more,
});
/** 'D' a day, 'N' the divider, a message by its id: '(' before the first of a group, ')' after its last. */
const draw = (lines: MessageLine[], first_new: string | null = null) =>
  buildRows(lines, first_new)
    .map(({ line: { id }, day, is_new, is_first, is_last }) => {
      const above = `${day === null ? '' : 'D '}${is_new ? 'N ' : ''}`;
      return `${above}${is_first ? '(' : ''}${id}${is_last ? ')' : ''}`;
    })
    .join(' ');

test('no messages, no rows', () => {
  expect(draw([])).toBe('');
});

test('every day begins with its separator', () => {
  expect(draw([line('a', -24 * 60), line('b', 0), line('c', 1)])).toBe('D (a) D (b c)');
});

test('a group ends with another sender, after five minutes, at midnight and after a failed message', () => {
  expect(draw([line('a', 0), line('b', 1, { mine: true }), line('c', 5), line('d', 10)])).toBe('D (a) (b) (c) (d)');
  expect(draw([line('a', 11 * 60 + 59), line('b', 12 * 60)])).toBe('D (a) D (b)');
  expect(draw([line('a', 0, { mine: true, status: 'failed' }), line('b', 0, { mine: true })])).toBe('D (a) (b)');
});

test('the divider parts a group', () => {
  expect(draw([line('a', 0), line('b', 1), line('c', 2)], 'b')).toBe('D (a) N (b c)');
});

test('the oldest unread line is the first new one, also when an older page brings it', () => {
  const page = [line('c', 2, { unread: true }), line('d', 3, { unread: true })];
  expect(firstNewId(page, null)).toBe('c');
  expect(firstNewId([line('a', 0), line('b', 1, { unread: true }), ...page], 'c')).toBe('b');
});

test('it stays where it was after it was seen', () => {
  expect(firstNewId([line('a', 0), line('c', 2), line('d', 3)], 'c')).toBe('c');
  expect(firstNewId([line('a', 0), line('c', 2)], null)).toBeNull();
});
