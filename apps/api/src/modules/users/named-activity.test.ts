import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import type { SignedIn } from '#test/app/app.ts';
import { eraseNow } from '#test/scenes/erase-now.ts';
import { type Climb, makeClimb, ScanScene, scanOf } from '#test/scenes/scan-scene.ts';
import { createExportService } from './export.ts';

const NOW = new Date();
const NONE: string[] = [];

let scene: ScanScene;
/** Knows the ids of Ada's activities from her codes, and writes them into ops and codes of his own. */
let mal: SignedIn;
let phone_of_mal = { key_id: '', key: '' };
/** A referee who scans Mal's codes. */
let kay: SignedIn;
/** Ada's: confirmed by Rex; confirmed by Rex, who took it back; scanned by Rex before its ops arrive. */
let climbs: { validated: Climb; withdrawn: Climb; missing: Climb };
beforeAll(async () => {
  scene = await ScanScene.open();
});
afterAll(() => scene.api.close());
beforeEach(async () => {
  await scene.renew();
  mal = await scene.api.signIn('Mal');
  phone_of_mal = (await scene.post(mal, '/v1/devices', { installation_id: randomUUID(), name: 'Phone' })).data;
  kay = await scene.addReferee('Kay');
  climbs = { validated: makeClimb(30), withdrawn: makeClimb(30, 40), missing: makeClimb(30, 80) };
});

/** Ada's activities, with Rex's scans: four ops of his. */
async function train(): Promise<void> {
  const { validated, withdrawn, missing } = climbs;
  await scene.record(validated);
  await scan(scene.referee, scene.codeOf(validated).payload, 'accepted');
  await scene.record(withdrawn);
  const op_id = await scan(scene.referee, scene.codeOf(withdrawn).payload, 'accepted');
  expect((await scene.withdraw(scene.referee, withdrawn, op_id)).status).toBe(200);
  await scan(scene.referee, scene.codeOf(missing).payload, 'waiting');
}

/** Returns the op id. */
async function scan(who: SignedIn, payload: string, outcome: string): Promise<string> {
  const body = scanOf(payload);
  const reply = await scene.post(who, '/v1/activities/validate', body);
  expect(reply.data?.outcome ?? reply.code).toBe(outcome);
  return body.op_id;
}

/** Mal's op, which the server refuses. */
async function refused(op: object, code: string): Promise<string[]> {
  const { data } = await scene.post(mal, '/v1/activities/sync', { ops: [{ op_id: randomUUID(), ...op }] });
  expect(data.results).toMatchObject([{ outcome: 'rejected', code }]);
  return NONE;
}

/**
 * The ways to make rows with the id of another athlete's activity. Each returns the ids of Kay's ops that are about Mal
 * because of it.
 */
const CLAIMS: Record<string, (climb: Climb) => Promise<string[]>> = {
  edit: ({ client_id }) => refused({ kind: 'edit', client_id, edited_at: NOW.toISOString() }, 'activity_not_found'),
  finish: ({ client_id }) => refused({ kind: 'finish', client_id, ended_at: NOW.toISOString() }, 'activity_not_found'),
  deletion: ({ client_id }) => refused({ kind: 'delete', client_id }, 'activity_not_found'),
  'refused start': ({ client_id }) => {
    const facts = { sport_center_id: randomUUID(), sport_type: 'climbing', started_at: NOW.toISOString() };
    return refused({ kind: 'start', client_id, ...facts }, 'sport_center_not_found');
  },
  'made-up withdrawal': ({ client_id }) =>
    refused({ kind: 'withdraw', client_id, scan_op_id: randomUUID() }, 'decision_not_found'),
  'scan of a forged code': async (climb) => {
    await scan(mal, scene.codeOf(climb, {}, phone_of_mal.key).payload, 'code_forged');
    return NONE;
  },
  'activity of the same id': async (climb) => {
    await scene.record(climb, mal);
    return NONE;
  },
  'own code, which a referee scans': async (climb) => {
    const { public_id, name: display_name } = mal.user;
    const own = { public_id, display_name, key_id: phone_of_mal.key_id };
    const { payload } = scene.codeOf(climb, own, phone_of_mal.key);
    const scan_op_id = await scan(kay, payload, 'waiting');
    const op_id = randomUUID();
    const url = `/v1/activities/${climb.client_id}/withdraw`;
    expect((await scene.send(kay, 'POST', url, { op_id, scan_op_id })).status).toBe(200);
    return [scan_op_id, op_id, await scan(kay, payload, 'waiting')];
  },
};

/** The tables of the export; not by the call, which allows two a day. */
async function exportOf({ user }: SignedIn): Promise<Record<string, Record<string, unknown>[]>> {
  const { content } = await createExportService(scene.api.database, () => NOW).exportMe(user.id);
  return JSON.parse(await text(content)).tables;
}

async function listOthersOps(who: SignedIn) {
  return (await exportOf(who)).activity_ops?.filter((row) => row.user_id === DELETED_USER_ID);
}

/** As text, in an order of its own: PostgreSQL moves rows within their table. */
async function sortedExportOf(who: SignedIn): Promise<string[][]> {
  return Object.entries(await exportOf(who)).map(([table, rows]) => [
    table,
    ...rows.map((row) => JSON.stringify(row)).sort(),
  ]);
}

/** The exports of Ada and Rex, and all ops and log lines of others but those with these op ids. */
async function readOthers(op_ids: string[]): Promise<string> {
  const { rows } = await sql`
    select to_jsonb(o) as row from activity_ops o where user_id <> ${mal.user.id} and op_id <> all(${op_ids}::uuid[])
    union all
    select to_jsonb(l) from validation_log l
    where scanner_id not in (${mal.user.id}, ${DELETED_USER_ID}) and op_id <> all(${op_ids}::uuid[])
    order by row`.execute(scene.api.database);
  return JSON.stringify([await sortedExportOf(scene.athlete), await sortedExportOf(scene.referee), rows]);
}

describe.each(Object.entries(CLAIMS))('%s with the id of another athlete’s activity', (_name, claim) => {
  /** Claims Ada's activities, and the id that erased athletes' activities get. */
  async function claimAll(): Promise<string[]> {
    const erased = { ...makeClimb(30, 120), client_id: DELETED_USER_ID };
    const op_ids: string[] = [];
    for (const climb of [climbs.validated, climbs.missing, erased]) op_ids.push(...(await claim(climb)));
    return op_ids;
  }

  test('does not show the scans of that activity to its sender; its athlete sees them all', async () => {
    await train();
    const op_ids = await claimAll();
    expect(await listOthersOps(mal)).toHaveLength(op_ids.length);
    const of_mal = JSON.stringify(await exportOf(mal));
    for (const { user } of [scene.athlete, scene.referee, kay]) expect(of_mal).not.toContain(user.id);
    const seen = (await listOthersOps(scene.athlete))?.map(({ kind, activity_id }) => `${kind} ${activity_id}`);
    const { validated, withdrawn, missing } = climbs;
    const ids = [validated, withdrawn, missing].map(({ client_id }) => `scan ${client_id}`);
    expect(seen?.sort()).toEqual([...ids, `withdraw ${withdrawn.client_id}`].sort());
  });

  test.each(['after', 'before'])(
    'sent %s the activity, changes no row of others when its sender is erased',
    async (when) => {
      if (when === 'after') await train();
      const op_ids = await claimAll();
      if (when === 'before') await train();
      const before = await readOthers(op_ids);
      await eraseNow(scene.api.database, mal.user.public_id);
      expect((await exportOf(mal)).users).toEqual([]);
      expect(await readOthers(op_ids)).toBe(before);
    },
  );

  test('sent after that athlete is erased, shows its sender no scan, and changes no row of others when they are erased', async () => {
    await train();
    await eraseNow(scene.api.database, scene.athlete.user.public_id);
    const op_ids = await claimAll();
    expect(await listOthersOps(mal)).toHaveLength(op_ids.length);
    const before = await readOthers(op_ids);
    await eraseNow(scene.api.database, mal.user.public_id);
    expect(await readOthers(op_ids)).toBe(before);
  });
});

test('a scan that proves no athlete, and a withdrawal of it, are about no athlete', async () => {
  const { validated } = climbs;
  await scene.record(validated);
  const jump_ms = 86_400_000;
  const body = scanOf(scene.codeOf(validated).payload, { clock: { offset_ms: 0, age_ms: 1000, jump_ms } });
  expect((await scene.post(scene.referee, '/v1/activities/validate', body)).code).toBe('clock_jumped');
  expect((await scene.withdraw(scene.referee, validated, body.op_id)).code).toBe('decision_not_found');
  expect(await listOthersOps(scene.athlete)).toEqual([]);
  const [scan_op] = (await exportOf(scene.referee)).activity_ops?.filter(({ kind }) => kind === 'scan') ?? [];
  expect(scan_op).toMatchObject({ activity_id: body.op_id, athlete_id: null });
});

test('a withdrawal of a refused scan is about the athlete whose code was scanned', async () => {
  const { validated } = climbs;
  await scene.record(validated);
  const op_id = await scan(kay, scene.codeOf(validated).payload, 'accepted');
  const late = await scan(scene.referee, scene.codeOf(validated).payload, 'code_replayed');
  expect((await scene.withdraw(scene.referee, validated, late)).code).toBe('decision_not_found');
  const seen = await listOthersOps(scene.athlete);
  expect(seen?.map(({ kind, outcome }) => `${kind} ${outcome}`).sort()).toEqual([
    'scan accepted',
    'scan rejected',
    'withdraw rejected',
  ]);
  expect((await scene.withdraw(kay, validated, op_id)).status).toBe(200);
});
