import { expect, test } from 'vitest';
import { createToldNews } from './told-news.ts';

const messageAt = (at: number, subject = 'c') => ({ id: `${subject} ${at}`, subject, at });

test('a message is told once, by the stream', () => {
  const told = createToldNews();
  expect(told.fromStream(messageAt(1_000))).toBe(true);
  expect(told.fromStream(messageAt(1_000))).toBe(false);
  expect(told.fromStream(messageAt(1_001))).toBe(true);
  expect(told.fromStream(messageAt(1_000, 'd'))).toBe(true);
});

test('the push of what the stream has told says nothing', () => {
  const told = createToldNews();
  told.fromStream(messageAt(1_000));
  expect(told.fromPush({ subject: 'c', at: 1_200 })).toBe(false);
  expect(told.fromPush({ subject: 'd', at: 1_200 })).toBe(true);
});

test('what a push has told is not told again by a stream that comes back', () => {
  const told = createToldNews();
  expect(told.fromPush({ subject: 'c', at: 20_000 })).toBe(true);
  expect(told.fromPush({ subject: 'c', at: 20_000 })).toBe(false);
  expect(told.fromStream(messageAt(19_900))).toBe(false);
  expect(told.fromStream(messageAt(20_100))).toBe(true);
});
