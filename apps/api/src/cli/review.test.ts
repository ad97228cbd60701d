import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runVerb } from '#test/run-verb.ts';
import { type Climb, MINUTE_MS, makeClimb, ScanScene } from '#test/scenes/scan-scene.ts';
import type { Command } from './command.ts';
import { command as revoke } from './referees-revoke.ts';
import { command as recompute } from './scores-recompute.ts';
import { command as verify } from './scores-verify.ts';
import { command as review } from './validations-review.ts';

let scene: ScanScene;
beforeAll(async () => {
  scene = await ScanScene.open();
});
afterAll(() => scene.api.close());
beforeEach(() => scene.renew());

const run = (command: Command, ...args: string[]) => runVerb(scene.api.database, command.run, args);

async function runJson(command: Command, ...args: string[]) {
  const { code, stdout } = await run(command, ...args, '--json');
  return { code, ...JSON.parse(stdout) };
}

const differences = async () => (await runJson(verify)).differences;

/** A climb that ended `ago` minutes ago, recorded and confirmed. */
async function confirmed(ago = 1): Promise<Climb> {
  const { client_id, started_at, ended_at } = makeClimb(60);
  const shift = (ago - 1) * MINUTE_MS;
  const climb = { client_id, started_at: started_at - shift, ended_at: ended_at - shift };
  await scene.record(climb);
  expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).status).toBe(200);
  return climb;
}

async function decisionOf({ client_id }: Climb): Promise<string> {
  const row = await scene.api.database
    .selectFrom('activities')
    .select('decision_id')
    .where('id', '=', client_id)
    .executeTakeFirstOrThrow();
  return row.decision_id ?? '';
}

describe('wrong usage ends with 2 and the usage', () => {
  it.each([
    [verify, ['more']],
    [recompute, ['--fast']],
    [review, ['--withdraw', 'x']],
    [review, ['more']],
    [revoke, []],
    [revoke, ['ada', 'x']],
    [revoke, ['ada', randomUUID(), '--since', '2026-01-01']],
    [revoke, ['ada', randomUUID(), '--reevaluate', '--since', '5']],
    [revoke, ['ada', randomUUID(), '--reevaluate', '--since', '2099-01-01']],
  ] as [Command, string[]][])('%o with %o', async (command, args) => {
    const result = await run(command, ...args);
    expect(result.code, args.join(' ')).toBe(2);
    expect(result.stderr).toContain(`npm run sendlap -- ${command.noun} ${command.verb}`);
  });
});

describe('referees revoke', () => {
  const words = () => [scene.referee.user.public_id, scene.center];

  it('refuses where there is no right, the first and the second time', async () => {
    const [, center = ''] = words();
    expect(await run(revoke, scene.athlete.user.public_id, center)).toMatchObject({ code: 1 });
    expect(await run(revoke, 'no-such-athlete', center, '--reevaluate')).toMatchObject({ code: 1 });
    expect(await run(revoke, ...words())).toMatchObject({ code: 0 });
    expect(await run(revoke, ...words())).toMatchObject({ code: 1, stderr: expect.stringContaining('has no right') });
  });

  it('leaves earlier decisions, and earlier scans that arrive later', async () => {
    const before = await confirmed(70);
    const late = makeClimb(60);
    await scene.record(late);
    // Well before the revocation: a right does not cover the millisecond in which it ends.
    const scanned_at = Date.now() - 10_000;
    expect(await run(revoke, ...words())).toMatchObject({ code: 0 });
    expect((await scene.scanAt(scene.referee, late, scanned_at)).status).toBe(200);
    expect(await scene.readMine(before.client_id)).toMatchObject({ status: 'validated', validation: 'referee' });
    expect((await scene.validate(scene.referee, scene.codeOf(late).payload)).code).toBe('not_a_referee');
  });

  it('takes back every decision with --reevaluate, also one that is under way, and all its points', async () => {
    const before = await confirmed(70);
    const late = makeClimb(60);
    await scene.record(late);
    const scanned_at = new Date().toISOString();
    const done = await runJson(revoke, ...words(), '--reevaluate');
    expect(done).toMatchObject({ code: 0, revoked: 1, withdrawn: 1 });
    expect(await scene.readMine(before.client_id)).toMatchObject({ status: 'finished', validation: 'none', points: 0 });
    expect((await scene.readLedger()).reduce((sum, points) => sum + points, 0)).toBe(0);
    const offline = { scanned_at, recorded_offline: true };
    expect((await scene.validate(scene.referee, scene.codeOf(late).payload, offline)).code).toBe('not_a_referee');
    expect(await differences()).toEqual([]);
  });

  it('spares earlier decisions with --since, and may follow a plain revocation', async () => {
    const spared = await confirmed(70);
    const since = new Date().toISOString();
    const taken = await confirmed();
    expect(await run(revoke, ...words())).toMatchObject({ code: 0 });
    const done = await run(revoke, ...words(), '--reevaluate', '--since', since);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('1 decisions were taken back') });
    expect(await scene.readMine(spared.client_id)).toMatchObject({ status: 'validated' });
    expect(await scene.readMine(taken.client_id)).toMatchObject({ status: 'finished', points: 0 });
  });
});

describe('referees revoke --reevaluate', () => {
  it('finds the decisions of a center whose id is written in capitals', async () => {
    const climb = await confirmed();
    const id = scene.referee.user.public_id;
    expect(await runJson(revoke, id, scene.center.toUpperCase(), '--reevaluate')).toMatchObject({
      code: 0,
      revoked: 1,
      withdrawn: 1,
      passed_over: [],
    });
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
  });

  it('ends with 1 and names each decision that it had to pass over, and why', async () => {
    const rejected = makeClimb(60, 10);
    await scene.record(rejected);
    await scene.scanAt(scene.referee, rejected, Date.now() - 20_000, { decision: 'reject' });
    // A rejected activity takes no time in the schedule, so another one can be recorded in its place.
    await scene.record({ ...rejected, client_id: randomUUID() });
    const { code, stdout, stderr } = await run(revoke, scene.referee.user.public_id, scene.center, '--reevaluate');
    expect([code, stdout]).toEqual([1, expect.stringContaining('0 decisions were taken back')]);
    expect(stderr).toMatch(/^[0-9a-f-]{36} stays in force: .+taken its place/);
  });
});

describe('validations review', () => {
  it('takes an id in capitals for the same decision', async () => {
    const id = await decisionOf(await confirmed());
    expect(await run(review, '--withdraw', id.toUpperCase())).toMatchObject({ code: 0 });
  });

  it('refuses to withdraw an unknown decision, and one that is withdrawn already', async () => {
    const id = await decisionOf(await confirmed());
    expect(await run(review, '--withdraw', randomUUID())).toMatchObject({ code: 1 });
    expect(await run(review, '--withdraw', id)).toMatchObject({ code: 0, stdout: `${id} is withdrawn.\n` });
    const again = await runJson(review, '--withdraw', id);
    expect(again).toMatchObject({ code: 1, results: [{ id, refusal: expect.any(String) }] });
  });

  it('takes the points back and sends the athlete an event', async () => {
    const climb = await confirmed();
    expect((await scene.readMine(climb.client_id)).points).toBeGreaterThan(0);
    await run(review, '--withdraw', await decisionOf(climb));
    expect(await scene.readMine(climb.client_id)).toMatchObject({ status: 'finished', points: 0 });
    const [last] = await scene.api.database
      .selectFrom('user_events')
      .select('data')
      .where('user_id', '=', scene.athlete.user.id)
      .orderBy('seq', 'desc')
      .execute();
    expect(last?.data).toMatchObject({ type: 'activity_changed', activity: { status: 'finished' } });
    expect(await differences()).toEqual([]);
  });

  it('lists scanners with many forged codes, in words and as JSON', async () => {
    const climb = makeClimb();
    await scene.record(climb);
    const { payload } = scene.codeOf(climb, {}, Buffer.alloc(32, 7).toString('base64url'));
    const refuse = () => scene.validate(scene.referee, payload);
    for (let count = 0; count < 5; count += 1) expect((await refuse()).code).toBe('code_forged');
    const scanner = scene.referee.user.public_id;
    expect((await run(review)).stdout).toContain(
      `many_refusals: ${scanner} had 5 suspect scans: refused ones that look made up`,
    );
    const { flags } = await runJson(review);
    expect(flags).toContainEqual(expect.objectContaining({ kind: 'many_refusals', scanner, count: 5 }));
  });
});

describe('scores', () => {
  it('verify finds nothing wrong after validations, and recompute changes nothing', async () => {
    await confirmed();
    expect(await run(verify)).toMatchObject({ code: 0, stdout: expect.stringContaining(' 0 differences') });
    expect(await runJson(recompute)).toMatchObject({ code: 0, changed: 0 });
  });

  it('verify names each number that is wrong, and recompute mends it from the ledger', async () => {
    const { client_id: activity_id } = await confirmed();
    const { id: user_id } = scene.athlete.user;
    const right = (await scene.readMine(activity_id)).points;
    const { database } = scene.api;
    await database
      .updateTable('activities')
      .set({ points: right + 9 })
      .where('id', '=', activity_id)
      .execute();
    await database.updateTable('board_scores').set({ points: 1 }).where('user_id', '=', user_id).execute();
    const { code, stdout } = await run(verify);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${right + 9} instead of ${right}`)]);
    const whats = (await differences()).map(({ what }: { what: string }) => what);
    expect([...new Set(whats)].sort()).toEqual(['athlete_week', 'board', 'ledger', 'rule']);
    expect((await run(recompute)).code).toBe(0);
    expect(await differences()).toEqual([]);
    expect((await scene.readMine(activity_id)).points).toBe(right);
  });

  it('verify finds counted minutes that differ from those of the day, and recompute corrects them', async () => {
    const { client_id } = await confirmed();
    await scene.api.database
      .updateTable('activities')
      .set({ counted_minutes: 999 })
      .where('id', '=', client_id)
      .execute();
    expect(await differences()).toMatchObject([{ activity_id: client_id, what: 'minutes', is: 999, should_be: 60 }]);
    expect((await run(verify)).stdout).toContain('counted minutes of an activity');
    expect(await runJson(recompute)).toMatchObject({ changed: 1 });
    expect(await differences()).toEqual([]);
  });

  it('verify finds an activity that is validated by a withdrawn decision', async () => {
    const { client_id } = await confirmed();
    const taken = (withdrawn_at: Date | null) =>
      scene.api.database.updateTable('decisions').set({ withdrawn_at }).where('activity_id', '=', client_id).execute();
    await taken(new Date());
    expect(await differences()).toMatchObject([{ activity_id: client_id, what: 'decision', is: 1, should_be: 0 }]);
    expect((await run(verify)).stdout).toContain('taken back and are still in force');
    await taken(null);
    expect(await differences()).toEqual([]);
  });
});
