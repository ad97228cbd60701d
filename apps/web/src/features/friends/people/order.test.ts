import type { Friend } from '@sendlap/contract/friends.ts';
import { expect, test } from 'vitest';
import { countIncoming, filterFriends, orderFriends } from './order.ts';

const friend = (friend_name: string, friend_public_id: string): Friend => ({
  id: friend_public_id,
  friend_id: friend_public_id,
  friend_name,
  friend_public_id,
});
const names = (friends: Friend[]) => friends.map(({ friend_name }) => friend_name);
const ids = (friends: Friend[]) => friends.map(({ id }) => id);

test('the order follows the language: accents and case do not separate, ñ comes after n in Spanish', () => {
  const friends = [friend('Ñora', 'n1'), friend('Nuria', 'n2'), friend('álvaro', 'a1'), friend('Zoe', 'z1')];
  expect(names(orderFriends(friends, 'es-ES'))).toEqual(['álvaro', 'Nuria', 'Ñora', 'Zoe']);
});

test('friends of the same name are in the order of their ids', () => {
  expect(ids(orderFriends([friend('Athlete', 'b'), friend('Athlete', 'a')], 'en-GB'))).toEqual(['a', 'b']);
});

test('a filter looks at names, without accents and case, and at public ids', () => {
  const friends = [friend('Iñaki López', 'sl-1'), friend('Bea', 'lopera'), friend('Carl', 'c.c')];
  expect(ids(filterFriends(friends, 'lópe'))).toEqual(['sl-1', 'lopera']);
  expect(ids(filterFriends(friends, ' INAKI '))).toEqual(['sl-1']);
  expect(filterFriends(friends, 'unknown')).toEqual([]);
  expect(filterFriends(friends, '')).toEqual(friends);
});

test('only requests to me wait for me', () => {
  const request = (direction: 'incoming' | 'outgoing') => ({
    id: direction,
    direction,
    user: { id: 'u', name: 'Ana', public_id: 'ana' },
    created_at: '2026-11-22T10:00:00.000Z',
  });
  expect(countIncoming([request('incoming'), request('outgoing'), request('incoming')])).toBe(2);
});
