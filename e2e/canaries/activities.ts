import { randomUUID } from 'node:crypto';
import { signCode, stepOf } from '../../apps/api/test/factories.ts';
import type { Caller } from './people.ts';

const MINUTE_MS = 60_000;
/** Long enough for points. */
const CLIMB_MS = 12 * MINUTE_MS;
/** A climb and a minute of rest. */
const SLOT_MS = CLIMB_MS + MINUTE_MS;
const CLOCK = { offset_ms: 0, age_ms: 1000 };

/** An athlete with a device that makes codes. `now`: of the server, ms epoch. */
export interface Climber {
  athlete: Caller;
  device: { key_id: string; key: string };
  now(): number;
}

export interface Climb {
  client_id: string;
  sport_center_id: string;
  started_at: number;
  ended_at: number;
}

export async function openClimber(athlete: Caller, now: () => number): Promise<Climber> {
  const phone = { installation_id: randomUUID(), name: 'Phone' };
  const device = await athlete.send<Climber['device']>('POST', '/v1/devices', phone);
  return { athlete, device, now };
}

/** A climb that has ended. `slot`: no two climbs of an athlete may be in the same one. */
export function planClimb({ now }: Climber, sport_center_id: string, slot: number): Climb {
  const ended_at = Math.floor(now() / 1000) * 1000 - (slot + 1) * SLOT_MS;
  return { client_id: randomUUID(), sport_center_id, started_at: ended_at - CLIMB_MS, ended_at };
}

export async function recordClimb(climber: Climber, sport_center_id: string, slot: number): Promise<Climb> {
  const { athlete } = climber;
  const climb = planClimb(climber, sport_center_id, slot);
  const { ended_at } = climb;
  const at = (ms: number) => new Date(ms).toISOString();
  const { client_id } = climb;
  const about = { sport_center_id, sport_type: 'climbing', started_at: at(climb.started_at) };
  const ops = [
    { kind: 'start', client_id, op_id: randomUUID(), ...about },
    { kind: 'finish', client_id, op_id: randomUUID(), ended_at: at(ended_at) },
  ];
  await athlete.send('POST', '/v1/activities/sync', { ops });
  return climb;
}

/** Returns the content of the code of the climb. `display_name`: a modified client writes any. */
export function signClimb({ athlete, device, now }: Climber, climb: Climb, display_name = athlete.name): string {
  const { client_id: activity_id, ...facts } = climb;
  const { public_id } = athlete;
  const code = { activity_id, public_id, display_name, ...facts, sport_type: 'climbing' as const };
  const step = stepOf(new Date(now()));
  const rest = { paused_s: 0, intensity: null, distance_m: null, step, key_id: device.key_id };
  return signCode({ ...code, ...rest }, device.key).payload;
}

/** The referee scans the code of the climb and decides. */
export async function decide(
  referee: Caller,
  climber: Climber,
  climb: Climb,
  decision: { decision: 'confirm' | 'reject'; reason?: string },
): Promise<void> {
  const payload = signClimb(climber, climb);
  const scanned_at = new Date(climber.now()).toISOString();
  const scan = { op_id: randomUUID(), scanned_at, clock: CLOCK, payload, ...decision };
  const { outcome } = await referee.send<{ outcome: string }>('POST', '/v1/activities/validate', scan);
  if (outcome !== 'accepted') throw new Error(`a scan was ${outcome}`);
}

export async function appeal({ athlete, now }: Climber, { client_id }: Climb, reason: string): Promise<void> {
  const body = { op_id: randomUUID(), appealed_at: new Date(now()).toISOString(), reason };
  await athlete.send('POST', `/v1/activities/${client_id}/appeal`, body);
}
