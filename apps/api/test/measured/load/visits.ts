import { randomUUID } from 'node:crypto';
import { type Agent, request } from 'node:http';
import { signCode, stepOf } from '#test/factories.ts';

export interface Answer {
  status: number;
  body: { data?: unknown; code?: string };
}

/** Calls one server: with a body as POST, without one as GET. */
export type Call = (path: string, token: string, body?: object) => Promise<Answer>;

export function createCall(url: string, agent: Agent): Call {
  const callServer: Call = (path, token, body) =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const headers = {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      };
      const method = text === undefined ? 'GET' : 'POST';
      const call = request(url + path, { method, agent, headers }, (reply) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => parts.push(part));
        reply.once('end', () =>
          resolve({ status: reply.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()) }),
        );
      });
      // The server may close an idle connection at the moment of the call; every call is safe to repeat.
      call.once('error', (error) => (call.reusedSocket ? resolve(callServer(path, token, body)) : reject(error)));
      call.end(text);
    });
  return callServer;
}

/** A finished climb that a referee of its center can confirm, with the key of its athlete's device. */
export interface OpenActivity {
  activity_id: string;
  public_id: string;
  started_at: number;
  ended_at: number;
  key_id: string;
  /** base64url */
  key: string;
}

/** The start and the finish of a climb, as a phone's queue sends them. */
export function opsOf(
  sport_center_id: string,
  activity: { activity_id: string; started_at: number; ended_at: number },
) {
  const client_id = activity.activity_id;
  const [started_at, ended_at] = [activity.started_at, activity.ended_at].map((at) => new Date(at).toISOString());
  return [
    { kind: 'start', op_id: randomUUID(), client_id, sport_center_id, sport_type: 'climbing', started_at },
    { kind: 'finish', op_id: randomUUID(), client_id, ended_at, intensity: 'moderate' },
  ];
}

/** The scan of its code now. */
export function scanOf(sport_center_id: string, { key, ...shown }: OpenActivity): object {
  const now = new Date();
  const code = { ...shown, display_name: 'Ada', sport_center_id, sport_type: 'climbing' as const };
  const facts = { intensity: 'moderate' as const, distance_m: null, paused_s: 0, step: stepOf(now) };
  return {
    op_id: randomUUID(),
    decision: 'confirm',
    scanned_at: now.toISOString(),
    clock: { offset_ms: 0, age_ms: 1000 },
    payload: signCode({ ...code, ...facts }, key).payload,
  };
}
