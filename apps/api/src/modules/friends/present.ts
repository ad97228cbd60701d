import type { Block, Friend, FriendRequest, Person, Relation } from '@sendlap/contract/friends.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import type { FoundPersonRow, PersonRow } from './store.ts';

/** `users.name` is never exposed: it may hold a part of an e-mail address. */
const nameOf = ({ display_name }: Pick<PersonRow, 'display_name'>): string => display_name ?? DEFAULT_DISPLAY_NAME;

export function presentPerson(person: PersonRow): Person {
  return { id: person.id, name: nameOf(person), public_id: person.public_id };
}

export function presentFriend(friendship_id: string, person: PersonRow): Friend {
  return {
    id: friendship_id,
    friend_id: person.id,
    friend_name: nameOf(person),
    friend_public_id: person.public_id,
  };
}

interface RequestFacts {
  id: string;
  sender_id: string;
  created_at: Date;
}

/** The request as seen by the participant who is not `other`. */
export function presentRequest({ id, sender_id, created_at }: RequestFacts, other: PersonRow): FriendRequest {
  const direction = sender_id === other.id ? 'incoming' : 'outgoing';
  return { id, direction, user: presentPerson(other), created_at: created_at.toISOString() };
}

export function presentBlock(person: Omit<PersonRow, 'public_id'>, created_at: Date): Block {
  return { id: person.id, name: nameOf(person), created_at: created_at.toISOString() };
}

/** Hides the public id from a user who no longer has a relation to this person, so that new ids are not revealed. */
export function withoutPublicId(person: PersonRow): PersonRow {
  return { ...person, public_id: '' };
}

/** Returns the relation of a found person to the user. */
export function relationOf({ id, friendship_id, request_sender_id }: FoundPersonRow, user_id: string): Relation {
  if (id === user_id) return 'self';
  if (friendship_id !== null) return 'friend';
  if (request_sender_id === null) return 'none';
  return request_sender_id === user_id ? 'outgoing' : 'incoming';
}
