import { randomUUID } from 'node:crypto';
import type { Operator } from '../../apps/api/test/app/operator.ts';
import { PASSWORD } from '../people/athlete.ts';
import type { WholeServer } from '../server/server.ts';

/** A user who makes calls. */
export interface Caller {
  id: string;
  name: string;
  public_id: string;
  /** Returns the reply's `data`. Throws if the server refuses. */
  send<Data = { id: string }>(method: string, path: string, body?: object): Promise<Data>;
}

const DAY_MS = 86_400_000;

async function call(server: WholeServer, token: string | null, method: string, path: string, body?: object) {
  const reply = await fetch(server.url + path, {
    method,
    headers: {
      origin: server.url,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status} ${text}`);
  return (JSON.parse(text) as { data: unknown }).data;
}

/** Signs in with a token of a session of the caller's own. */
async function openCaller(server: WholeServer, token: string): Promise<Caller> {
  type Me = { user: { id: string; name: string; public_id: string } };
  const { user } = (await call(server, token, 'GET', '/v1/auth/me')) as Me;
  const send = async <Data>(method: string, path: string, body?: object) =>
    (await call(server, token, method, path, body)) as Data;
  return { id: user.id, name: user.name, public_id: user.public_id, send };
}

/** Signs a new user up. */
export async function signUpCaller(server: WholeServer, operator: Operator, name: string): Promise<Caller> {
  return openCaller(server, (await operator.signIn(name)).token);
}

/** Signs the user of a browser in once more, for calls. */
export async function callAs(server: WholeServer, email: string): Promise<Caller> {
  type SignedIn = { tokens: { access_token: string } };
  const { tokens } = (await call(server, null, 'POST', '/v1/auth/login', { email, password: PASSWORD })) as SignedIn;
  return openCaller(server, tokens.access_token);
}

export async function befriend({ database }: Operator, one: Caller, other: Caller, now_ms: number): Promise<void> {
  const [user_low = '', user_high = ''] = [one.id, other.id].sort();
  const created_at = new Date(now_ms - 2 * DAY_MS);
  await database.insertInto('friendships').values({ id: randomUUID(), user_low, user_high, created_at }).execute();
}

/** Makes a user a referee and a manager of centers. */
export async function makeRefereeAndManager(
  { database }: Operator,
  { id }: Pick<Caller, 'id'>,
  center_ids: string[],
): Promise<void> {
  const sport_types: 'climbing'[] = ['climbing'];
  const right = { user_id: id, sport_types, granted_by: 'faults', valid_from: new Date(0), valid_until: null };
  const referees = center_ids.map((sport_center_id) => ({ id: randomUUID(), sport_center_id, ...right }));
  await database.insertInto('referees').values(referees).execute();
  await database
    .insertInto('managers')
    .values(center_ids.map((sport_center_id) => ({ user_id: id, sport_center_id })))
    .execute();
}
