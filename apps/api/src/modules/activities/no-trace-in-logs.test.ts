import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { MAC_BYTES } from '@sendlap/domain/qr-code.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInvite } from '#api/modules/invites/service.ts';
import { createLogger } from '#api/platform/logger.ts';
import { HOUR_MS, iso, MINUTE_MS, type PlannedActivity, resultOf, Stage } from '#test/attacks/attack.ts';
import { atMoment, type ClockedWorld, openClockedWorld } from '#test/scenes/clocked-world.ts';

const HERE = { latitude: 43.2611837, longitude: -2.9335521 };

let world: ClockedWorld;
let stage: Stage;
const lines: string[] = [];
const secrets = new Map<string, string>();

beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  world = await openClockedWorld({ logger: createLogger('trace', false, destination) });
  const kiosk = await world.pairKiosk(world.center);
  stage = await Stage.open(world, kiosk);
  for (const { key } of kiosk.keys) keep("a kiosk's key", key);
  for (const { key, headers } of [stage.ada, stage.rex]) {
    keep("a phone's key", key);
    keep('a bearer token', headers.authorization.slice('Bearer '.length));
  }
});
afterAll(() => world.close());

/** Registers a secret in every encoding in which a log could contain it. */
function keep(what: string, text: string): void {
  secrets.set(text, what);
  const bytes = fromBase64Url(text);
  if (!bytes || bytes.length < MAC_BYTES) return;
  secrets.set(Buffer.from(bytes).toString('hex'), what);
  secrets.set(Buffer.from(bytes).toString('base64'), what);
}

function keepCode(what: string, { payload }: { payload: string }): string {
  keep(what, payload);
  const mac = Buffer.from(fromBase64Url(payload) ?? []).subarray(-MAC_BYTES);
  keep(`the MAC of ${what}`, mac.toString('base64url'));
  return payload;
}

function venueScan(at = stage.now) {
  const payload = keepCode("a kiosk's code", { payload: stage.venueCode(at) });
  return { venue_scan: { payload, scanned_at: iso(stage.now) } };
}

async function proveByScans(planned: PlannedActivity): Promise<string[]> {
  const code = stage.code(planned);
  const payload = keepCode('a code', code);
  keep('digits', code.digits);
  const forged = keepCode('a forged code', stage.code(planned, {}, { ...stage.ada, key: stage.rex.key }));
  const digits = { op_id: randomUUID(), code: code.digits };
  const post = async (url: string, body: object) => resultOf(await stage.post(stage.rex, url, body));
  keep('wrong digits', '90817263');
  const answers = [
    await stage.scanned(forged),
    await post('/v1/activities/codes/resolve', { code: '90817263' }),
    await post('/v1/activities/codes/resolve', { code: code.digits }),
    await post('/v1/activities/validate', stage.scanBody({ ...digits, decision: 'perhaps' })),
    await post('/v1/activities/validate', stage.scanBody({ ...digits, payload })),
    await post('/v1/activities/validate', stage.scanBody(digits)),
  ];
  // Two scans at the same moment would be ordered by their ids, which would then decide which one is the repeat.
  stage.now += 1_000;
  return [...answers, await stage.scanned(payload, { op_id: randomUUID() })];
}

/** A scan during a database outage: this path logs the most. */
async function scanDuringAnOutage(planned: PlannedActivity): Promise<number> {
  const { database } = world.api;
  const payload = keepCode('a code during an outage', stage.code(planned));
  await sql`alter table decisions rename to decisions_away`.execute(database);
  try {
    return (await stage.scan(payload)).status;
  } finally {
    await sql`alter table decisions_away rename to decisions`.execute(database);
  }
}

async function redeemInvites(): Promise<number[]> {
  const { database, app } = world.api;
  const statuses: number[] = [];
  for (const kind of ['referee', 'kiosk'] as const) {
    const invitation = { kind, sport_center_id: world.center, sport_types: ['climbing' as const], right_until: null };
    const { code } = await createInvite(database, invitation, new Date(stage.now));
    const url = kind === 'referee' ? '/v1/referees/invites/redeem' : '/v1/kiosks/pair';
    for (const said of [`${code.slice(0, -1)}!`, `wrong${code.slice(5)}`, code]) {
      keep('an invite', said);
      const request = { method: 'POST', url, payload: { code: said }, headers: stage.rex.headers } as const;
      const reply = await atMoment(stage.now, async () => await app.inject(request));
      statuses.push(reply.statusCode);
      const token = reply.json().data?.token;
      if (!token) continue;
      keep("a kiosk's token", token);
      for (const path of ['/v1/kiosks/me/keys', '/v1/kiosks/me/board', `/v1/kiosks/me/board?token=${token}`]) {
        const headers = { authorization: `Bearer ${token}` };
        await atMoment(stage.now, async () => await app.inject({ url: path, headers }));
      }
    }
  }
  return statuses;
}

test('no code, MAC, key, digit, token or coordinate is in any line of the log, however talkative', async () => {
  const visit = { ...stage.climb(), started: stage.now };
  await stage.start(visit, venueScan());
  stage.now += HOUR_MS;
  await stage.finish({ ...visit, ended: stage.now }, venueScan(stage.now - MINUTE_MS));
  expect(await stage.look(visit)).toMatchObject({ status: 'finished', proof_note: 'venue_code_late' });

  stage.now += 5 * HOUR_MS;
  expect(await proveByScans(await stage.climbed())).toEqual([
    'code_forged',
    'digits_unknown',
    'accepted',
    'validation_failed',
    'validation_failed',
    'accepted',
    'code_replayed',
  ]);
  stage.now += 3 * HOUR_MS;
  expect(await scanDuringAnOutage(await stage.climbed())).toBe(500);
  expect(await redeemInvites()).toEqual([400, 422, 200, 400, 422, 201]);

  for (const located of [HERE, { ...HERE, latitude: 'north' }])
    await stage.post(stage.ada, '/v1/user-location', located);
  for (const value of Object.values(HERE)) keep('a coordinate', String(Math.abs(value)).slice(0, 7));
  const nearby = `/v1/sports/climbing/find?latitude=${HERE.latitude}&longitude=${HERE.longitude}&radius_km=1`;
  expect((await world.call('GET', nearby, stage.ada, stage.now)).status).toBe(200);

  // Strips the clock values: their digits are arbitrary and may match a code or a coordinate by chance.
  const log = lines.join('').replaceAll(/"(time|duration_ms)":[\d.e-]+/g, '');
  for (const path of ['/v1/activities/validate', '/v1/kiosks/pair', '/v1/user-location', '/v1/sports/climbing/find']) {
    expect(log).toContain(path);
  }
  const found = [...secrets].filter(([text]) => log.includes(text)).map(([, what]) => what);
  expect(found).toEqual([]);
}, 60_000);
