import { expect, test } from 'vitest';
import { createNewsDeduplicator } from './news-deduplicator.ts';

const messageAt = (at: number, subject = 'c') => ({ id: `${subject} ${at}`, subject, at });

test('a message is shown once, by the stream', () => {
  const told = createNewsDeduplicator();
  expect(told.isNewFromStream(messageAt(1_000))).toBe(true);
  expect(told.isNewFromStream(messageAt(1_000))).toBe(false);
  expect(told.isNewFromStream(messageAt(1_001))).toBe(true);
  expect(told.isNewFromStream(messageAt(1_000, 'd'))).toBe(true);
});

test('the push of a message that the stream has shown shows nothing', () => {
  const told = createNewsDeduplicator();
  told.isNewFromStream(messageAt(1_000));
  expect(told.isNewFromPush({ subject: 'c', at: 1_200 })).toBe(false);
  expect(told.isNewFromPush({ subject: 'd', at: 1_200 })).toBe(true);
});

test('a message that a push has shown is not shown again by a stream that resumes', () => {
  const told = createNewsDeduplicator();
  expect(told.isNewFromPush({ subject: 'c', at: 20_000 })).toBe(true);
  expect(told.isNewFromPush({ subject: 'c', at: 20_000 })).toBe(false);
  expect(told.isNewFromStream(messageAt(19_900))).toBe(false);
  expect(told.isNewFromStream(messageAt(20_100))).toBe(true);
});
