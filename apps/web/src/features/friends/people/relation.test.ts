import type { Friend, FriendRequest } from '@sendlap/contract/friends.ts';
import { expect, test } from 'vitest';
import { findRelation, newestRelation, type RelationDetails } from './relation.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const NONE: RelationDetails = { relation: 'none', request_id: null, friendship_id: null };
const ASKED: RelationDetails = { relation: 'outgoing', request_id: 'r', friendship_id: null };

const friend: Friend = { id: 'f', friend_id: ANA, friend_name: 'Ana', friend_public_id: 'ana' };
const request = (direction: FriendRequest['direction']): FriendRequest => ({
  id: 'r',
  direction,
  user: { id: ANA, name: 'Ana', public_id: 'ana' },
  created_at: '2026-11-22T10:00:00.000Z',
});

test('a user in no list has no relation to me', () => {
  expect(findRelation('another user', [friend], [request('incoming')])).toEqual(NONE);
});

test.each(['incoming', 'outgoing'] as const)('a request that is %s says so, with its id', (direction) => {
  expect(findRelation(ANA, [], [request(direction)])).toEqual({ ...NONE, relation: direction, request_id: 'r' });
});

test('a friend is a friend, whatever an older list of requests still holds', () => {
  expect(findRelation(ANA, [friend], [request('incoming')])).toEqual({
    ...NONE,
    relation: 'friend',
    friendship_id: 'f',
  });
});

test('lists that are not loaded say nothing, but a friend is known without the requests', () => {
  expect(findRelation(ANA, undefined, undefined)).toBeNull();
  expect(findRelation(ANA, undefined, [request('incoming')])).toBeNull();
  expect(findRelation(ANA, [], undefined)).toBeNull();
  expect(findRelation(ANA, [friend], undefined)).toMatchObject({ relation: 'friend', friendship_id: 'f' });
});

test('the newer of an answer and my lists counts', () => {
  const found = { value: NONE, read_at: 100 };
  expect(newestRelation(found, null)).toEqual(NONE);
  expect(newestRelation(found, { value: ASKED, read_at: 99 })).toEqual(NONE);
  expect(newestRelation(found, { value: ASKED, read_at: 100 })).toEqual(ASKED);
});

test('I am found as myself, although I am in none of my lists', () => {
  const me: RelationDetails = { ...NONE, relation: 'self' };
  expect(newestRelation({ value: me, read_at: 1 }, { value: NONE, read_at: 2 })).toEqual(me);
});
