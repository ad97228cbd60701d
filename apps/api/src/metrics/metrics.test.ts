import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getActivity, startActivity, syncActivities } from '@sendlap/contract/activities.ts';
import { getLeaderboard } from '@sendlap/contract/leaderboards.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { openSseReader } from '#test/app/sse-reader.ts';
import { makeCenter } from '#test/factories.ts';
import { findFreePort } from '#test/free-port.ts';
import { createPushQueue } from '../modules/notifications/push-queue.ts';
import * as measurements from '../platform/measurements.ts';

const DEPLOY = join(import.meta.dirname, '../../../../deploy/metrics');
const MINUTE_MS = 60_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/;

let api: TestApp;
let port: number;
let ada: SignedIn;
let center = '';
beforeAll(async () => {
  port = await findFreePort();
  api = await buildTestApp({
    listen: true,
    env: { METRICS_PORT: String(port), TRUST_PROXY: '127.0.0.1' },
    seed: async (database) => {
      center = await makeCenter(database);
    },
  });
  ada = await api.signIn('Ada');
});
afterAll(async () => {
  await api?.close();
  for (const { is_observed } of Object.values(measurements)) expect(is_observed).toBe(false);
});

const scrape = (path = '/metrics', method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
const readText = async () => (await scrape()).text();

/** The value of a series whose labels are exactly these, in their order; undefined without one. */
function valueIn(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}
const failedRuns = (job: string) => `sendlap_job_duration_seconds_count{job_name="${job}",result="failed"}`;
const read = async (series: string) => valueIn(await readText(), series);

async function post(path: string, body: object) {
  const headers = { ...ada.headers, 'content-type': 'application/json' };
  return fetch(`${api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

const start = (overrides: object = {}) => ({
  client_id: randomUUID(),
  op_id: randomUUID(),
  sport_center_id: center,
  sport_type: 'climbing',
  started_at: new Date(Date.now() - MINUTE_MS).toISOString(),
  ...overrides,
});

describe('the metrics', () => {
  test('have each counter of an alert before it first rises, so that an alert sees it rise', async () => {
    const text = await readText();
    const pool = 'db_client_connection_timeouts_total{db_client_connection_pool_name=';
    const pushes = ['sent', 'refused', 'later', 'failed'].map((result) => `sendlap_pushes_total{result="${result}"}`);
    const shed = ['ordinary', 'essential'].map((kind) => `sendlap_shed_requests_total{kind="${kind}"}`);
    const counters = [...pushes, ...shed, `${pool}"requests"}`, `${pool}"jobs"}`];
    counters.push(...JOBS.map(failedRuns));
    // On a busy machine a first run may fail already.
    for (const series of counters) expect(valueIn(text, series), series).toBeGreaterThanOrEqual(0);
  });

  test('are nowhere at the public port', async () => {
    const reply = await fetch(`${api.url}/metrics`);
    expect([reply.status, await reply.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
  });

  test('are all that their own port has', async () => {
    expect((await scrape('/v1/auth/me')).status).toBe(404);
    expect((await scrape('/metrics', 'POST')).status).toBe(405);
    const reply = await scrape('/metrics?x=1');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    expect(await reply.text()).toContain('sendlap_build_info{version="');
  });

  test('are each on the page of the operator', async () => {
    const page = readFileSync(join(DEPLOY, '../../docs/operating.md'), 'utf8');
    const names = [...(await readText()).matchAll(/^# TYPE ((?:sendlap|http|db)_\w+)/gm)].map(([, name = '']) => name);
    expect(names).toContain('db_client_connection_wait_time_seconds');
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('have requests by the template of their route, refusals by their code, and no data of the user', async () => {
    const id = randomUUID();
    const ask = (path: string) => fetch(`${api.url}${path}`, { headers: ada.headers });
    await (await ask(getActivity.path.replace(':client_id', id))).text();
    for (const name of ['wp-login', id]) await (await ask(`/v1/${name}?near=43.26`)).text();
    const labels = (route: string) =>
      `http_request_method="GET",url_scheme="http",http_route="${route}",http_response_status_code="404"`;
    await vi.waitFor(async () => {
      const text = await readText();
      expect(valueIn(text, `http_server_request_duration_seconds_count{${labels(getActivity.path)}}`)).toBe(1);
      expect(valueIn(text, `http_server_request_duration_seconds_count{${labels('')}}`)).toBeGreaterThanOrEqual(2);
      expect(valueIn(text, 'http_server_active_requests{http_request_method="GET",url_scheme="http"}')).toBe(0);
    });
    const text = await readText();
    expect(valueIn(text, 'sendlap_refusals_total{of="request",code="activity_not_found"}')).toBe(1);
    for (const secret of [id, ada.user.id, ada.user.public_id, 'Ada', 'wp-login', '43.26']) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(UUID);
  });

  test('have one label for all schemes that a caller makes up', async () => {
    for (const scheme of ['https', 'gopher', `secret-${randomUUID()}`]) {
      const headers = { 'x-forwarded-proto': scheme, 'x-forwarded-for': '203.0.113.7' };
      await (await fetch(`${api.url}/healthz`, { headers })).text();
    }
    await vi.waitFor(async () => {
      const schemes = new Set((await readText()).matchAll(/url_scheme="([^"]*)"/g).map(([, scheme]) => scheme));
      expect([...schemes].sort()).toEqual(['_OTHER', 'http', 'https']);
    });
  });

  test('have repeats, in a request of their own and among others, and refused ops', async () => {
    const once = start();
    const ops = [
      { kind: 'start', ...once },
      { kind: 'start', ...start({ sport_center_id: randomUUID() }) },
    ];
    for (const status of [201, 201]) expect((await post(startActivity.path, once)).status).toBe(status);
    expect((await post(syncActivities.path, { ops })).status).toBe(200);
    await vi.waitFor(async () => {
      const text = await readText();
      expect(valueIn(text, `sendlap_repeats_total{http_route="${startActivity.path}"}`)).toBe(1);
      expect(valueIn(text, `sendlap_repeats_total{http_route="${syncActivities.path}"}`)).toBe(1);
      expect(valueIn(text, 'sendlap_refusals_total{of="op",code="sport_center_not_found"}')).toBe(1);
    });
  });

  test('have open streams, which are no pending requests, and how late their events are', async () => {
    const { port: public_port } = api.app.server.address() as AddressInfo;
    const bea = await api.signIn('Bea');
    const stream = await openSseReader({ port: public_port, token: bea.token });
    await vi.waitFor(async () => {
      const text = await readText();
      expect(valueIn(text, 'sendlap_streams_open')).toBe(1);
      expect(valueIn(text, 'http_server_active_requests{http_request_method="GET",url_scheme="http"}') ?? 0).toBe(0);
      expect(valueIn(text, 'sendlap_event_lag_seconds')).toBe(0);
    });
    // Without the counter, which a poll would notice.
    await sql`insert into user_events (user_id, seq, type, data, created_at)
      values (${bea.user.id}, 1, 'resync', '{"type":"resync"}', now() - interval '1 hour')`.execute(api.database);
    expect(await read('sendlap_event_lag_seconds')).toBeGreaterThanOrEqual(3_600);
    stream.close();
    await vi.waitFor(async () => expect(await read('sendlap_streams_open')).toBe(0));
    expect(await read('sendlap_event_lag_seconds')).toBe(0);
  });

  test('have the lag of the boards, once boards are in memory', async () => {
    expect((await fetch(`${api.url}${getLeaderboard.path}?period=week`, { headers: ada.headers })).status).toBe(200);
    await vi.waitFor(async () => expect(await read('sendlap_board_log_lag_seconds')).toBeGreaterThanOrEqual(0));
  });

  test('have statements by their first word, with their errors, and the pool', async () => {
    await expect(sql`select nothing_at_all`.execute(api.database)).rejects.toThrow('nothing_at_all');
    const text = await readText();
    const statement = 'db_client_operation_duration_seconds_count{db_system_name="postgresql",db_operation_name=';
    expect(valueIn(text, `${statement}"SELECT",error_type="42703"}`)).toBe(1);
    for (const word of ['SELECT', 'BEGIN', 'COMMIT'])
      expect(valueIn(text, `${statement}"${word}"}`)).toBeGreaterThan(0);
    const pool = 'db_client_connection_pool_name="requests"';
    expect(valueIn(text, `db_client_connection_wait_time_seconds_count{${pool}}`)).toBeGreaterThan(0);
    expect(valueIn(text, `db_client_connection_pending_requests{${pool}}`)).toBe(0);
    expect(valueIn(text, `db_client_connection_max{${pool}}`)).toBe(8);
    expect(valueIn(text, `db_client_connection_count{${pool},db_client_connection_state="idle"}`)).toBeGreaterThan(0);
  });

  test('have the age and the failure of the backup, as soon as there is one', async () => {
    expect(await read('sendlap_backup_last_success_timestamp_seconds')).toBeUndefined();
    const made_at = new Date('2026-11-20T03:00:00Z');
    await api.database
      .insertInto('backup_state')
      .values({ made_at, bytes: 5, failed_at: made_at, failure: 'no' })
      .execute();
    const text = await readText();
    expect(valueIn(text, 'sendlap_backup_last_success_timestamp_seconds')).toBe(made_at.getTime() / 1000);
    expect(valueIn(text, 'sendlap_backup_size_bytes')).toBe(5);
    expect(valueIn(text, 'sendlap_backup_failed')).toBe(1);
  });

  test('are there without a database, and say so', async () => {
    await sql`alter table backup_state rename to backup_state_away`.execute(api.database);
    const text = await readText();
    await sql`alter table backup_state_away rename to backup_state`.execute(api.database);
    expect(valueIn(text, 'sendlap_database_up')).toBe(0);
    for (const name of ['sendlap_event_lag_seconds', 'sendlap_board_log_lag_seconds', 'sendlap_backup_failed'])
      expect(valueIn(text, name)).toBeUndefined();
    expect(await read('sendlap_database_up')).toBe(1);
  });

  test('have the runs of every job, and pushes by their result', async () => {
    const queue = createPushQueue({
      send: async () => ({ outcome: 'gone' }),
      isStillRelevant: async () => true,
      onSubscriptionEnded: async () => {},
      log: { warn: () => {} },
    });
    queue.add(PUSH);
    await queue.drain();
    await vi.waitFor(async () => {
      const text = await readText();
      expect(valueIn(text, 'sendlap_pushes_total{result="gone"}')).toBe(1);
      // On a busy machine a first run may fail.
      const runs = text.matchAll(
        /^sendlap_job_duration_seconds_count\{job_name="(\w+)",result="(?:done|failed)"\} [1-9]/gm,
      );
      expect([...new Set([...runs].map(([, name]) => name))].sort()).toEqual(JOBS);
    });
  });
});

test('every alert and every panel names only metrics that a node has', async () => {
  const known = new Set(['up']);
  for (const [, name = '', type] of (await readText()).matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    if (type === 'histogram') for (const part of ['_bucket', '_count', '_sum']) known.add(name + part);
    else known.add(name);
  }
  const alerts = readFileSync(join(DEPLOY, 'alerts.yaml'), 'utf8');
  const dashboard = JSON.parse(readFileSync(join(DEPLOY, 'dashboard.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
    templating: { list: { query: string }[] };
  };
  const rules = [...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr);
  expect(rules).toHaveLength([...alerts.matchAll(/^ +- alert: /gm)].length);
  const panels = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const [, variable] = /^label_values\((\w+), instance\)$/.exec(dashboard.templating.list[1]?.query ?? '') ?? [];
  for (const expr of [...rules, ...panels, String(variable)]) {
    const names = metricNames(expr);
    expect(names.length, expr).toBeGreaterThan(0);
    expect(
      names.filter((name) => !known.has(name)),
      expr,
    ).toEqual([]);
  }
});

/** The names in a PromQL expression, without its functions, labels and ranges. */
function metricNames(expr: string): string[] {
  const bare = expr
    .replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replace(/\b(?:by|without|on|ignoring) \([^)]*\)/g, ' ');
  return [...bare.matchAll(/\b[a-z_]\w*\b(?! *\()/g)].map(([name]) => name).filter((name) => !OPERATORS.has(name));
}

const OPERATORS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'sum', 'max', 'min', 'count']);

const JOBS = [
  'area_loads',
  'attempt_pruning',
  'board_log_pruning',
  'daily_backup',
  'erasure',
  'event_pruning',
  'location_purge',
  'record_pruning',
  'scan_expiry',
  'sign_up_pruning',
  'street_loads',
];

const PUSH: Parameters<ReturnType<typeof createPushQueue>['add']>[0] = {
  subscription: { id: 'a', user_id: 'a', endpoint: 'https://push.example.com', p256dh: '', auth: '' },
  news: {
    ...{ user_id: 'a', kind: 'friends', subject: 'from bea', content: { kind: 'friend_request', name: 'Bea', at: 0 } },
    ...{ other_id: null, message_id: null, request_id: null, activity: null },
  },
  ...{ payload: '{}', expires_at_ms: 0, urgency: 'normal', topic: 't' },
};
