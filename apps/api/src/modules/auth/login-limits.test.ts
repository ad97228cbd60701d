import { login } from '@sendlap/contract/auth.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser, type TestBrowser } from '#test/app/browser.ts';
import { begin, openPage, PASSWORD, refusalOf, signUp } from '#test/app/sign-in.ts';

const DEVICES = '__Host-sendlap_devices';
const env = { TRUST_PROXY: '127.0.0.1' };

let node: TestApp;
let other: TestApp;
let third: TestApp;
beforeAll(async () => {
  node = await buildTestApp({ env });
  other = await buildTestApp({ env, database_url: node.database_url });
  third = await buildTestApp({ env, database_url: node.database_url });
});
afterAll(async () => {
  await third.close();
  await other.close();
  await node.close();
});

let addresses = 0;
/** An address without previous attempts. */
function newAddress(): string {
  addresses += 1;
  return `203.0.113.${addresses}`;
}

function attempt(browser: TestBrowser, email: string, password: string, address = newAddress()) {
  const headers = { 'x-forwarded-for': address };
  return browser.request(login.path, { method: 'POST', json: { email, password }, headers });
}

const statusOf = async (...attempted: Parameters<typeof attempt>) => (await attempt(...attempted)).statusCode;

/** Uses up the attempts that strangers have in a minute. */
async function lockOut(email: string): Promise<void> {
  const stranger = createBrowser(other.app);
  for (let count = 1; count <= 5; count += 1) expect(await statusOf(stranger, email, 'not this one')).toBe(401);
  expect(await statusOf(stranger, email, PASSWORD)).toBe(429);
}

/** Returns the browser in which the account was made. */
async function newOwner(email: string): Promise<TestBrowser> {
  const browser = createBrowser(node.app);
  await signUp(browser, email);
  return browser;
}

describe('the attempts of a minute', () => {
  test('on an account are five on three nodes together, and over a restart', async () => {
    const email = 'nodes@example.org';
    await newOwner(email);
    const strangers = [node, other, third, node, other].map(({ app }) => createBrowser(app));
    for (const stranger of strangers) expect(await statusOf(stranger, email, 'not this one')).toBe(401);
    for (const { app } of [node, other, third]) {
      expect(refusalOf(await attempt(createBrowser(app), email, PASSWORD))).toEqual([429, 'too_many_requests']);
    }
    const restarted = await buildTestApp({ env, database_url: node.database_url });
    expect(await statusOf(createBrowser(restarted.app), email, PASSWORD)).toBe(429);
    await restarted.close();
  });

  test('on an account are five by the call and the page together', async () => {
    const email = 'both@example.org';
    await newOwner(email);
    const stranger = createBrowser(node.app);
    const { path } = await openPage(stranger, await begin(stranger));
    const post = async (password: string) => {
      const headers = { 'x-forwarded-for': newAddress() };
      const form = { email, password };
      return (await stranger.request(`${path}/sign-in`, { method: 'POST', form, headers })).statusCode;
    };
    for (let count = 1; count <= 3; count += 1) expect(await statusOf(stranger, email, 'not this one')).toBe(401);
    for (let count = 4; count <= 5; count += 1) expect(await post('not this one')).toBe(422);
    expect([await statusOf(stranger, email, PASSWORD), await post(PASSWORD)]).toEqual([429, 429]);
  });

  test('from an address are counted by all nodes together', async () => {
    const address = newAddress();
    for (let count = 1; count <= 20; count += 1) {
      const browser = createBrowser(count % 2 === 0 ? node.app : other.app);
      expect(await statusOf(browser, `person${count}@example.org`, 'not this one', address)).toBe(401);
    }
    for (const { app } of [node, other]) {
      expect(await statusOf(createBrowser(app), 'one.more@example.org', PASSWORD, address)).toBe(429);
    }
  });
});

describe('a browser that signed in before', () => {
  test('signs in while strangers use up all tries of the account, on any node, by the call and by the page', async () => {
    const email = 'owner@example.org';
    const owner = await newOwner(email);
    await lockOut(email);
    const elsewhere = createBrowser(other.app, owner.cookies);
    expect(await statusOf(elsewhere, email.toUpperCase(), PASSWORD)).toBe(200);
    const { path } = await openPage(owner, await begin(owner));
    const posted = await owner.request(`${path}/sign-in`, { method: 'POST', form: { email, password: PASSWORD } });
    expect(posted.statusCode).toBe(303);
    expect(await statusOf(createBrowser(node.app), email, PASSWORD)).toBe(429);
  });

  test('signs in from an address whose tries others used up', async () => {
    const owner = await newOwner('shared@example.org');
    const address = newAddress();
    for (let count = 1; count <= 21; count += 1) {
      await attempt(createBrowser(node.app), `guest${count}@example.org`, 'not this one', address);
    }
    expect(await statusOf(createBrowser(node.app), 'shared@example.org', PASSWORD, address)).toBe(429);
    expect(await statusOf(owner, 'shared@example.org', PASSWORD, address)).toBe(200);
  });

  test('has five tries a minute too, and strangers keep theirs', async () => {
    const email = 'stolen@example.org';
    const thief = await newOwner(email);
    for (let count = 1; count <= 5; count += 1) expect(await statusOf(thief, email, 'not this one')).toBe(401);
    expect(refusalOf(await attempt(thief, email, PASSWORD))).toEqual([429, 'too_many_requests']);
    expect(await statusOf(createBrowser(node.app), email, PASSWORD)).toBe(200);
  });

  test('is one of its own account only, and by a cookie that no script reads', async () => {
    const mallory = await newOwner('mallory@example.org');
    await newOwner('victim@example.org');
    await lockOut('victim@example.org');
    expect(await statusOf(mallory, 'victim@example.org', PASSWORD)).toBe(429);
    const reply = await attempt(mallory, 'mallory@example.org', PASSWORD);
    const cookie = reply.cookies.find(({ name }) => name === DEVICES);
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' });
    expect(cookie?.value).not.toContain('mallory');
  });

  test('gets no mark by a refused attempt', async () => {
    const browser = createBrowser(node.app);
    await attempt(browser, 'victim@example.org', 'not this one');
    expect(browser.cookies.has(DEVICES)).toBe(false);
  });
});
