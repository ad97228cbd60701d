import { sendClaimMail } from '@sendlap/contract/center-management/claims.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { type ClaimedCenter, type ClaimScene, openClaimScene } from '#test/scenes/claim-scene.ts';

let scene: ClaimScene;
let center: ClaimedCenter;
let owner: SignedIn;
let [eve, mallory]: SignedIn[] = [];
beforeAll(async () => {
  scene = await openClaimScene();
});
afterAll(() => scene.close());
beforeEach(async () => {
  center = await scene.openCenter();
  owner = await scene.api.signIn('Clara');
  [eve, mallory] = [await scene.api.signIn('Eve'), await scene.api.signIn('Mallory')];
});

const send = (who = owner, at = center) =>
  scene.call(sendClaimMail, who, at.id, { email: `x@${at.host}`, language: 'en' });
const outcomeOf = ({ code, status }: { code?: string; status: number }) => code ?? status;
/** Returns the outcomes of calls one after the other. */
async function repeat<Outcome>(times: number, run: () => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let time = 0; time < times; time += 1) outcomes.push(await run());
  return outcomes;
}

test('two strangers leave the owner of a center the mails of an hour; all are told when they can mail again', async () => {
  for (const who of [eve, mallory]) {
    expect((await repeat(4, () => send(who))).map(outcomeOf)).toEqual([
      202,
      202,
      ...Array(2).fill('too_many_requests'),
    ]);
  }
  expect((await repeat(2, () => send())).map(outcomeOf)).toEqual([202, 202]);
  expect(await send()).toMatchObject({ code: 'too_many_requests', retry_after_s: 3_600 });
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
  expect(await send(eve, others[0])).toMatchObject({ code: 'too_many_requests', retry_after_s: 86_400 });
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
