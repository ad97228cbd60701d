import { sendClaimMail } from '@sendlap/contract/center-management/claims.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { buildTestApp, type SignedIn } from '#test/app/app.ts';
import { type ClaimedCenter, type ClaimScene, openClaimScene } from '#test/scenes/claim-scene.ts';
import { startMailServer } from '#test/servers/mail-server.ts';
import { createClaimBudgets } from './budgets.ts';

let scene: ClaimScene;
let center: ClaimedCenter;
let owner: SignedIn;
let [eve, mallory]: SignedIn[] = [];
beforeAll(async () => {
  scene = await openClaimScene();
});
afterAll(() => scene.close());
afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  center = await scene.openCenter();
  owner = await scene.api.signIn('Clara');
  [eve, mallory] = [await scene.api.signIn('Eve'), await scene.api.signIn('Mallory')];
});

const send = (who = owner, at = center) =>
  scene.call(sendClaimMail, who, at.id, { email: `x@${at.host}`, language: 'en' });
const outcomeOf = ({ code, status }: { code?: string; status: number }) => code ?? status;
/** Sends from another node, whose mail server is at this address. */
async function sendVia(smtp_url: string, times: number): Promise<unknown[]> {
  const env = { SMTP_URL: smtp_url, MAIL_FROM: 'sendlap@server.example', PUSH_ALLOW_LOCAL: '1' };
  const node = await buildTestApp({ database_url: scene.api.database_url, env });
  const { headers } = owner;
  const url = sendClaimMail.path.replace(':id', center.id);
  const payload = { email: `x@${center.host}`, language: 'en' };
  const post = () => node.app.inject({ method: 'POST', url, headers, payload });
  const codes = await repeat(times, async () => (await post()).json().code);
  await node.close();
  return codes;
}
/** Returns the outcomes of calls one after the other. */
async function repeat<Outcome>(times: number, run: () => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let time = 0; time < times; time += 1) outcomes.push(await run());
  return outcomes;
}

test('two strangers leave the owner of a center the mails of an hour', async () => {
  for (const who of [eve, mallory]) {
    expect((await repeat(4, () => send(who))).map(outcomeOf)).toEqual([
      202,
      202,
      ...Array(2).fill('too_many_requests'),
    ]);
  }
  expect((await repeat(2, () => send())).map(outcomeOf)).toEqual([202, 202]);
  expect(outcomeOf(await send())).toBe('too_many_requests');
});

test('a claimant is told the rest of the own hour, and of a used-up center the whole one', async () => {
  await repeat(2, () => send());
  await repeat(2, () => send(eve));
  // 50 minutes later.
  await scene.api.database
    .updateTable('attempt_counts')
    .set(({ eb }) => ({ expire: eb('expire', '-', 3_000_000) }))
    .where('key', 'like', 'claim_mails%')
    .execute();
  const { code, retry_after_s } = await send();
  expect(code).toBe('too_many_requests');
  expect(retry_after_s).toBeGreaterThan(540);
  expect(retry_after_s).toBeLessThanOrEqual(600);
  await repeat(2, () => send(mallory));
  expect(await send(await scene.api.signIn('Ada'))).toMatchObject({ code: 'too_many_requests', retry_after_s: 3_600 });
});

test('a mail that the failing mail server did not take leaves the claimant and the center their mails', async () => {
  const down = await startMailServer();
  await down.close();
  expect(await sendVia(down.url, 7)).toEqual(Array(7).fill('claim_mail_failed'));
  for (const who of [owner, eve, mallory])
    expect((await repeat(2, () => send(who))).map(outcomeOf)).toEqual([202, 202]);
});

test('a refund frees a mail also after tries that were refused', async () => {
  const budgets = createClaimBudgets(scene.api.database);
  const claim = { user_id: owner.user.id, sport_center_id: center.id, way: 'mail' as const };
  const take = () =>
    budgets.takeMail(claim).then(
      () => 'taken',
      ({ code }) => code,
    );
  expect(await repeat(4, take)).toEqual(['taken', 'taken', 'too_many_requests', 'too_many_requests']);
  await budgets.refundMail(claim);
  expect(await repeat(2, take)).toEqual(['taken', 'too_many_requests']);
});

test('a mail that a slow mail server may deliver after all stays counted', async () => {
  const slow = await startMailServer({ onConnect: () => {} });
  const waitFor = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => waitFor(ms === 8_000 ? 50 : ms));
  const mail_failed = 'claim_mail_failed';
  expect(await sendVia(slow.url, 3)).toEqual([mail_failed, mail_failed, 'too_many_requests']);
  await slow.close();
});

test('an address that the mail server refuses stays counted: the refusals say which mailboxes exist', async () => {
  const body = { email: `gone@${center.host}`, language: 'en' };
  const outcomes = await repeat(3, () => scene.call(sendClaimMail, owner, center.id, body));
  expect(outcomes.map(outcomeOf)).toEqual([...Array(2).fill('claim_mail_failed'), 'too_many_requests']);
});

test('a center gets six mails an hour from all together, and the seventh costs its sender nothing', async () => {
  for (const who of [eve, mallory, owner]) await repeat(2, () => send(who));
  const ada = await scene.api.signIn('Ada');
  expect(outcomeOf(await send(ada))).toBe('too_many_requests');
  expect(scene.mails.received.filter(({ to }) => to[0] === `x@${center.host}`)).toHaveLength(6);
  const others = await Promise.all(Array.from({ length: 3 }, () => scene.openCenter()));
  for (const other of others) expect((await repeat(2, () => send(ada, other))).map(outcomeOf)).toEqual([202, 202]);
});

test('a user mails six codes a day, to however many centers', async () => {
  const others = await Promise.all(Array.from({ length: 7 }, () => scene.openCenter()));
  for (const other of others.slice(1)) expect((await send(eve, other)).status).toBe(202);
  const { code, retry_after_s } = await send(eve, others[0]);
  expect(code).toBe('too_many_requests');
  expect(retry_after_s).toBeGreaterThan(86_000);
  expect(retry_after_s).toBeLessThanOrEqual(86_400);
});

test('a user has web sites read 48 times a day, of however many centers', async () => {
  const budgets = createClaimBudgets(scene.api.database);
  const centers = await Promise.all(Array.from({ length: 9 }, () => scene.openCenter()));
  const take = (sport_center_id: string) =>
    budgets.takeRead({ user_id: owner.user.id, sport_center_id, way: 'line' }).then(
      () => 'taken',
      ({ code, retry_after_s }) => ({ code, is_of_day: retry_after_s > 86_000 }),
    );
  for (const { id } of centers.slice(1)) expect(await repeat(6, () => take(id))).toEqual(Array(6).fill('taken'));
  expect(await take(centers[0]?.id ?? '')).toEqual({ code: 'too_many_requests', is_of_day: true });
});

test('a center has its web site read 30 times an hour for all together', async () => {
  const budgets = createClaimBudgets(scene.api.database);
  const claimants = await Promise.all(Array.from({ length: 6 }, (_, nth) => scene.api.signIn(`Claimant ${nth}`)));
  const take = ({ user }: SignedIn) =>
    budgets.takeRead({ user_id: user.id, sport_center_id: center.id, way: 'line' }).then(
      () => 'taken',
      ({ code }) => code,
    );
  for (const who of claimants.slice(1)) expect(await repeat(6, () => take(who))).toEqual(Array(6).fill('taken'));
  expect(await take(claimants[0] as SignedIn)).toBe('too_many_requests');
});

test("strangers' wrong codes, without a code of their own or with one, leave the owner the tries", async () => {
  const code = await scene.mailCode(owner, center);
  for (const who of [eve, mallory]) {
    if (!who) throw new Error('no stranger');
    expect(await repeat(15, () => scene.redeem(who, center, '0000 0000'))).toEqual(Array(15).fill('claim_unknown'));
    await scene.mailCode(who, center);
    await repeat(15, () => scene.redeem(who, center, 'x'));
  }
  expect(await scene.redeem(owner, center, code)).toBe('manager');
});

test('strangers who let the server read the web site of a center leave the owner enough of the reads', async () => {
  const line = await scene.makeLine(owner, center);
  for (const who of [eve, mallory]) {
    if (!who) throw new Error('no stranger');
    await scene.makeLine(who, center);
    const outcomes = await repeat(20, () => scene.checkLine(who, center));
    expect(outcomes).toEqual([...Array(6).fill('claim_site_unreadable'), ...Array(14).fill('too_many_requests')]);
  }
  scene.sites.set(center.host, line);
  expect(await scene.checkLine(owner, center)).toBe('manager');
});
