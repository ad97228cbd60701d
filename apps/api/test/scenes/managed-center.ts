import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import type { SignedIn, TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { makeManager, makeOperator } from './right-holders.ts';

interface CallOptions {
  /** null: without a session. */
  who: SignedIn | null;
  params?: Record<string, string>;
  body?: object;
}

/** Calls an endpoint. Returns the status and the fields of the reply. */
export async function callEndpoint(api: TestApp, endpoint: Endpoint, { who, params = {}, body }: CallOptions) {
  const url = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  const headers = who?.headers ?? {};
  const payload = body ?? (endpoint.body ? {} : undefined);
  const reply = await api.app.inject({ method: endpoint.method, url, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, ...reply.json() };
}

/** One caller of each kind, seen from `center`. The session of `locked`, a manager of it, ended with its account. */
export async function makeCallers(api: TestApp, center: string) {
  const elsewhere_id = await makeCenter(api.database);
  const [athlete, referee] = [await api.signIn('Ada'), await api.signIn('Rex')];
  const operator = await makeOperator(api, 'Olga');
  await api.database
    .insertInto('referees')
    .values({
      id: crypto.randomUUID(),
      user_id: referee.user.id,
      sport_center_id: center,
      sport_types: ['swimming'],
      granted_by: 'test',
      valid_from: new Date(0),
      valid_until: null,
    })
    .execute();
  const manager = await makeManager(api, 'Mia', center);
  const elsewhere = await makeManager(api, 'Eva', elsewhere_id);
  const locked = await makeManager(api, 'Lo', center);
  await api.app.inject({ method: 'DELETE', url: '/v1/users/me', headers: locked.headers });
  return { athlete, referee, manager, elsewhere, operator, locked };
}
