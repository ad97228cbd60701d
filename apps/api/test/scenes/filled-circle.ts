import { randomUUID } from 'node:crypto';
import { saveUserLocation } from '@sendlap/contract/locations.ts';
import { reportUser } from '@sendlap/contract/reports.ts';
import { expect } from 'vitest';
import type { SignedIn, TestApp } from '../app/app.ts';
import { befriend } from '../factories.ts';
import { openChatScene } from './chat-scene.ts';
import { openFriendScene } from './friend-scene.ts';

interface Circle {
  one: SignedIn;
  /** Of today. */
  public_id: string;
  friend: SignedIn;
  other_friend: SignedIn;
}

/**
 * Fills every table that relates a user to others: location, friends, requests, blocks, reports, kept suspicions, and a chat with
 * this message.
 */
export async function fillCircle(api: TestApp, circle: Circle, message: string): Promise<void> {
  const { friend, other_friend, public_id } = circle;
  const one = { ...circle.one, user: { ...circle.one.user, public_id } };
  const scene = openFriendScene(api);
  for (const each of [friend, other_friend]) await befriend(api.database, one, each);
  const here = { latitude: 43.26, longitude: -2.93 };
  expect((await scene.call(one, 'POST', saveUserLocation.path, here)).status).toBe(200);

  const [asker, asked] = (await scene.people('Cleo', 'Dan')) as [SignedIn, SignedIn];
  await scene.decline(one, await scene.request(asker, one));
  await scene.request(one, asked);
  expect((await scene.block(one, asker)).status).toBe(201);
  expect((await scene.block(asked, one)).status).toBe(201);
  for (const [who, whom, text] of [
    [one, friend, `I am ${one.user.name}`],
    [other_friend, one, 'Too loud'],
    [friend, asker, 'Adverts'],
  ] as const) {
    const report = { client_id: randomUUID(), user_id: whom.user.id, reason: 'other', text };
    expect((await scene.call(who, 'POST', reportUser.path, report)).status).toBe(201);
  }
  await handleReports(api, { one, friend, asker });
  await converse(api, one, friend, message);
  await addNotifications(api, one);
}

/** The reports about and by `one` are closed with words about them; `one` closes the third. Suspicions are kept. */
async function handleReports(
  { database }: TestApp,
  { one, friend, asker }: Record<'one' | 'friend' | 'asker', SignedIn>,
): Promise<void> {
  const outcome_reason = `Known: ${one.user.name}`;
  for (const [reported, change] of [
    [friend, { handled_by: asker.user.id, outcome_reason }],
    [one, { handled_by: asker.user.id, outcome_reason }],
    [asker, { handled_by: one.user.id, outcome_reason: 'Known' }],
  ] as const)
    await database
      .updateTable('reports')
      .set({ outcome: 'dismissed', handled_at: new Date(), ...change })
      .where('reported_id', '=', reported.user.id)
      .execute();
  const kept = { kind: 'reciprocal_pair', kept_at: new Date() };
  await database
    .insertInto('kept_reviews')
    .values([
      { ...kept, scanner_id: one.user.id, athlete_id: friend.user.id },
      { ...kept, scanner_id: friend.user.id, athlete_id: one.user.id },
    ])
    .execute();
  const suspension = { act: 'user_suspended', actor_id: friend.user.id, subject_id: one.user.id, details: '{}' };
  await database
    .insertInto('audit_entries')
    .values({ ...suspension, reason: `Was rude: ${one.user.name}` })
    .execute();
}

/** `one` writes, `other` reads it and answers; the answer stays unread. */
async function converse(api: TestApp, one: SignedIn, other: SignedIn, message: string): Promise<void> {
  const scene = openChatScene(api);
  const chat = await scene.create(one, other.user.id);
  const { data } = await scene.send(one, chat.data.id, message);
  const read = await scene.markRead(other, chat.data.id, [data.id]);
  expect([chat.status, read.data]).toEqual([201, { unreadCount: 0 }]);
  expect((await scene.send(other, chat.data.id, 'I will')).status).toBe(201);
}

/** Adds a push subscription and the user's notification choices. */
async function addNotifications({ database }: TestApp, { user, session_id }: SignedIn): Promise<void> {
  const id = randomUUID();
  const secrets = { endpoint: `https://push.example.org/${id}`, p256dh: id, auth: id };
  await database
    .insertInto('push_subscriptions')
    .values({ id, user_id: user.id, session_id, ...secrets })
    .execute();
  await database.insertInto('notification_choices').values({ user_id: user.id, show_text: true }).execute();
}
