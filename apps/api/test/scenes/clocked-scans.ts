import { randomUUID } from 'node:crypto';
import type { Sport } from '@sendlap/domain/sports.ts';
import { expect } from 'vitest';
import { signCode, stepOf } from '../factories.ts';
import type { ClockedWorld, Person } from './clocked-world.ts';
import { scanOf } from './scan-scene.ts';

const MINUTE_MS = 60_000;

/** An activity that an athlete did, and when it began (ms epoch, whole seconds). */
export interface Recorded {
  client_id: string;
  who: Person;
  center: string;
  sport_type: Sport;
  started_at: number;
  ended_at: number;
  distance_m: number | null;
}

/** Sends the start and the finish of an activity, at its end. */
export async function record(
  world: ClockedWorld,
  who: Person,
  started_at: number,
  facts: { minutes?: number; center?: string; sport_type?: Sport; distance_m?: number } = {},
): Promise<Recorded> {
  const { minutes = 60, center = world.center, sport_type = 'climbing', distance_m = null } = facts;
  const recorded = { client_id: randomUUID(), who, center, sport_type, started_at, distance_m };
  const ended_at = started_at + minutes * MINUTE_MS;
  await sendOps(world, { ...recorded, ended_at });
  return { ...recorded, ended_at };
}

/** Sends the ops of an activity, at its end. */
export async function sendOps(world: ClockedWorld, recorded: Recorded): Promise<void> {
  const { client_id, who, center: sport_center_id, sport_type, started_at, ended_at, distance_m } = recorded;
  const start = { kind: 'start', client_id, op_id: randomUUID(), sport_center_id, sport_type };
  const finish = { kind: 'finish', client_id, op_id: randomUUID(), ended_at: new Date(ended_at).toISOString() };
  const ops = [
    { ...start, started_at: new Date(started_at).toISOString() },
    { ...finish, ...(distance_m === null ? {} : { distance_m }) },
  ];
  const { data } = await world.call('POST', '/v1/activities/sync', who, ended_at, { ops });
  const results = data.results as { outcome: string; code?: string }[];
  expect(results.map(({ outcome, code }) => code ?? outcome)).toEqual(['accepted', 'accepted']);
}

/**
 * A scanner scans the activity's code, by default a minute after its end. Returns the scan's op id, for a withdrawal.
 */
export async function scan(
  world: ClockedWorld,
  scanner: Person,
  recorded: Recorded,
  { at = recorded.ended_at + MINUTE_MS, outcome = 'accepted', decision = 'confirm' } = {},
): Promise<string> {
  const { who, center: sport_center_id, client_id: activity_id, sport_type, started_at, ended_at } = recorded;
  const shown = { public_id: who.public_id, display_name: who.name, key_id: who.key_id, step: stepOf(new Date(at)) };
  const facts = { activity_id, sport_center_id, sport_type, started_at, ended_at, distance_m: recorded.distance_m };
  const { payload } = signCode({ ...shown, ...facts, paused_s: 0, intensity: null }, who.key);
  const body = scanOf(payload, { scanned_at: new Date(at).toISOString(), decision });
  const reply = await world.call('POST', '/v1/activities/validate', scanner, at, body);
  expect(reply.code ?? reply.data.outcome).toBe(outcome);
  return body.op_id;
}

/** Records an activity that a referee then confirms. */
export async function recordAndScan(
  world: ClockedWorld,
  [who, scanner]: readonly [Person, Person],
  started_at: number,
  facts: Parameters<typeof record>[3] = {},
): Promise<Recorded> {
  const recorded = await record(world, who, started_at, facts);
  await scan(world, scanner, recorded);
  return recorded;
}
