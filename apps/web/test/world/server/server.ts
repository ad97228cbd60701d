import { syncActivities } from '@sendlap/contract/activities.ts';
import { getAuthConfig, getMe, login, logout, refresh } from '@sendlap/contract/auth.ts';
import { getKioskBoard, listKioskKeys, pairKiosk } from '@sendlap/contract/kiosks.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { ERROR_STATUS } from '@sendlap/contract/wire/errors.ts';
import type { Moments } from '../base/moments.ts';
import type { See } from '../base/sights.ts';
import { createModelActivities } from './model-activities.ts';
import { createModelKiosk, type ModelKiosk } from './model-kiosk.ts';
import { createModelSessions, type Proof, Refusal } from './model-sessions.ts';

export interface ModelRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  cookies: { refresh: string | null; signed_out: string | null };
}

export interface ModelReply {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** undefined: unchanged, null: deleted. */
  cookies: { refresh?: string | null; signed_out?: string | null };
}

interface ServerDeps {
  moments: Moments;
  newId: () => string;
  see: See;
  forgets_ids: boolean;
}

type Content = Pick<ModelReply, 'body' | 'cookies'> & { has_epoch?: boolean };

type Route = [Endpoint, (request: ModelRequest) => Content];

/** The server as the contract has it, for sign-ins, sessions, and activities that start and finish. */
export function createServer({ moments, newId, see, forgets_ids }: ServerDeps) {
  const sessions = createModelSessions({ now: moments.now, newId, see });
  const kiosk: ModelKiosk = createModelKiosk(moments.now, () => activities.listBoard());
  const activities = createModelActivities({ now: moments.now, see, forgets_ids, acceptsVenue: kiosk.accepts });

  const routes: Route[] = [
    [
      getAuthConfig,
      () => ({
        body: { provider: 'cognito', own_provider: true, password_login: true, password_reset: false },
        cookies: {},
      }),
    ],
    [
      login,
      ({ body, cookies, headers }) => {
        const { email: user_id } = body as { email: string };
        const { tokens, cookie } = sessions.signIn(user_id, cookies.refresh, readProof(headers));
        return {
          body: { user: userOf(user_id), tokens },
          cookies: { refresh: cookie, signed_out: null },
          has_epoch: true,
        };
      },
    ],
    [
      refresh,
      ({ cookies, headers }) => {
        const presented = cookies.signed_out === null ? cookies.refresh : null;
        const { tokens, cookie } = sessions.refresh(presented, readProof(headers));
        return { body: tokens, cookies: { refresh: cookie, signed_out: null }, has_epoch: true };
      },
    ],
    [
      logout,
      ({ cookies }) => {
        sessions.signOut(cookies.refresh);
        return { body: { logout_url: null }, cookies: { refresh: null, signed_out: '1' } };
      },
    ],
    [getMe, ({ headers }) => ({ body: { user: userOf(sessions.authenticate(readBearer(headers))) }, cookies: {} })],
    [
      syncActivities,
      ({ headers, body }) => {
        const user_id = sessions.authenticate(readBearer(headers));
        const { ops } = syncActivities.body.parse(body);
        return { body: { results: activities.sync(user_id, ops) }, cookies: {} };
      },
    ],
    ...routesOf(kiosk),
  ];

  function run(request: ModelRequest): { status: number } & Content {
    const route = routes.find(([{ method, path }]) => method === request.method && path === request.path);
    if (!route) throw new Error(`the model has no ${request.method} ${request.path}`);
    try {
      const { body, ...rest } = route[1](request);
      return { status: 200, body: { success: true, data: body }, ...rest };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code } = error;
      return { status: ERROR_STATUS[code], body: { success: false, code, message: code }, cookies: {} };
    }
  }

  return {
    activities,
    kiosk,
    handle(request: ModelRequest): ModelReply {
      const { has_epoch, ...reply } = run(request);
      const time = { 'content-type': 'application/json', 'x-server-time': String(moments.now()) };
      return { ...reply, headers: has_epoch ? { ...time, 'x-server-epoch': 'first' } : time };
    },
  };
}

export type Server = ReturnType<typeof createServer>;

function routesOf(kiosk: ModelKiosk): Route[] {
  return [
    [
      pairKiosk,
      ({ headers, body }) => {
        const { code } = body as { code: string };
        return { body: kiosk.pair(code, headers['idempotency-key'] ?? ''), cookies: {} };
      },
    ],
    [listKioskKeys, ({ headers }) => ({ body: kiosk.listKeys(readBearer(headers)), cookies: {} })],
    [getKioskBoard, ({ headers }) => ({ body: kiosk.getBoard(readBearer(headers)), cookies: {} })],
  ];
}

function readBearer({ authorization = '' }: Record<string, string>): string {
  if (authorization === '') throw new Refusal('unauthenticated');
  return authorization.slice('Bearer '.length);
}

function readProof({ dpop }: Record<string, string>): Proof | null {
  return dpop === undefined ? null : (JSON.parse(dpop) as Proof);
}

function userOf(id: string) {
  const created_at = '2026-11-01T00:00:00.000Z';
  const body = { age: 0, weight_kg: 0, height_cm: 0 };
  return {
    id,
    email: `${id}@sendlap.test`,
    name: 'Athlete',
    public_id: 'sl-world',
    ...body,
    is_active: true,
    created_at,
  };
}
