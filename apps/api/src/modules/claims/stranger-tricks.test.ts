import { updateCenterDetails } from '@sendlap/contract/center-management/center-details.ts';
import { createClaimLine, getCenterClaim, sendClaimMail } from '@sendlap/contract/center-management/claims.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { type ClaimedCenter, type ClaimScene, openClaimScene } from '#test/scenes/claim-scene.ts';

const PRIVATE_ADDRESSES = ['169.254.169.254', '10.0.0.1', '::ffff:127.0.0.1', 'fd00::1', '0.0.0.0'];
const NAMES = {
  ...Object.fromEntries(PRIVATE_ADDRESSES.map((address, nth) => [`inner-${nth}.example`, [address]])),
  // The first answer is harmless.
  'rebinding.example': ['127.0.0.1', '10.0.0.1'],
  'nowhere.example': [],
};
const ENOUGH_BYTES = 200_000_000;

let scene: ClaimScene;
let stranger: SignedIn;
beforeAll(async () => {
  scene = await openClaimScene(NAMES);
});
afterAll(() => scene.close());
afterEach(async () => {
  // Whatever a trick was answered: no stranger manages anything.
  const { user } = stranger;
  const rights = await scene.api.database.selectFrom('managers').selectAll().where('user_id', '=', user.id).execute();
  expect(rights).toEqual([]);
});

/** A center that the stranger wants, and a user who really runs it. */
async function open(url?: string) {
  const center = await scene.openCenter(url);
  const { signIn } = scene.api;
  stranger = await signIn('Eve');
  return { center, owner: await signIn('Clara') };
}

const mailTo = (center: ClaimedCenter, email: string) =>
  scene.call(sendClaimMail, stranger, center.id, { email, language: 'en' });

test.each([
  ['of a look-alike domain', (host: string) => `info@${host.replace('l', '1')}`],
  ['of a domain that ends alike', (host: string) => `info@evil-${host}`],
  ['of a domain that begins alike', (host: string) => `info@${host}.evil.example`],
  ['of a homograph: a Cyrillic с', (host: string) => `info@${host.replace('c', 'с')}`],
  ['of its punycode', (host: string) => `info@xn--${host.replace('c', '')}`],
  ['of an invisible character', (host: string) => `info@${host.replace('.', '\u200b.evil.')}`],
  ['of a subdomain', (host: string) => `info@mail.${host}`],
  ['of the parent domain', (host: string) => `info@${host.split('.').slice(1).join('.')}`],
  ['with a final dot', (host: string) => `info@${host}.`],
  ['with a port', (host: string) => `info@${host}:25`],
  ['with a path', (host: string) => `info@${host}/@evil.example`],
  ['with a display name', () => 'Club <eve@evil.example>'],
  ['in the display name of another', (host: string) => `"info@${host}" <eve@evil.example>`],
  ['behind a display name', (host: string) => `eve@evil.example <info@${host}>`],
  ['in quotes', (host: string) => `"eve@evil.example"@${host}`],
  ['with a comment', (host: string) => `eve@evil.example(info@${host})`],
  ['after a comma', (host: string) => `eve@evil.example,info@${host}`],
  ['before a comma', (host: string) => `info@${host},eve@evil.example`],
  ['after a semicolon', (host: string) => `eve@evil.example;info@${host}`],
  ['with a header in a new line', (host: string) => `info@${host}\r\nBcc: eve@evil.example`],
  ['with a header in the name', (host: string) => `info\r\nBcc: eve@evil.example\r\n@${host}`],
  ['with two @', (host: string) => `eve@evil.example@${host}`],
  ['with two @, the other way', (host: string) => `info@${host}@evil.example`],
  ['with a percent route', (host: string) => `eve%evil.example@${host}`],
  ['with a bang route', (host: string) => `evil.example!eve@${host}`],
  ['at an address of IPv4', () => 'info@[127.0.0.1]'],
  ['at a bare address', () => 'info@127.0.0.1'],
  ['without a name', (host: string) => `@${host}`],
  ['without a domain', () => 'info@'],
])('no code goes to an address %s', async (_name, emailOf) => {
  const { center } = await open();
  const before = scene.mails.received.length;
  expect((await mailTo(center, emailOf(center.host))).code).toBe('claim_email_refused');
  expect(scene.mails.received).toHaveLength(before);
  expect(await scene.acts(center)).toEqual(['failed mail claim_email_refused']);
});

test.each([
  ['capitals', (host: string) => `INFO@${host.toUpperCase()}`],
  ['full-width letters', (host: string) => `info@${host.replace('club', 'ｃｌｕｂ')}`],
  ['a plus', (host: string) => `info+eve@${host}`],
])('an address with %s is one of the center itself', async (_name, emailOf) => {
  const { center } = await open();
  expect((await mailTo(center, emailOf(center.host))).status).toBe(202);
  expect(scene.mails.received.at(-1)?.to).toEqual([
    expect.stringMatching(new RegExp(`^info(\\+eve)?@${center.host}$`, 'i')),
  ]);
});

test.each([
  'https://www.facebook.com/club',
  'https://instagram.com/club',
  'https://sites.google.com/view/club',
  'https://club.wixsite.com/home',
  'https://club.blogspot.com/',
  'https://club.blogspot.com.es/',
  'https://club.github.io/',
  'http://club.free.fr/',
  'https://eve:secret@club.example/',
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://[::1]/',
  'https://club.example./',
  'ftp://club.example/',
  'javascript:alert(1)',
  'not an address',
])('nothing is proved by the site on record %s', async (url) => {
  const { center } = await open(URL.canParse(url) && new URL(url).hostname ? url : undefined);
  await scene.api.database
    .updateTable('sport_centers')
    .set({ url, url_changed_at: null })
    .where('id', '=', center.id)
    .execute();
  await scene.api.database
    .updateTable('sport_centers')
    .set({ url_changed_at: null })
    .where('id', '=', center.id)
    .execute();
  expect((await scene.call(getCenterClaim, stranger, center.id)).data).toMatchObject({ mail: null, line: null });
  expect((await mailTo(center, 'info@club.example')).code).toBe('claim_way_unavailable');
  expect((await scene.call(createClaimLine, stranger, center.id)).code).toBe('claim_way_unavailable');
});

test("the mail of a town does not prove that one runs one of the town's pools", async () => {
  const { center } = await open('https://www.town.example/sports/pool.html');
  expect((await scene.call(getCenterClaim, stranger, center.id)).data.mail).toBeNull();
  expect((await mailTo(center, 'clerk@town.example')).code).toBe('claim_way_unavailable');
});

test.each([
  ["to the stranger's site", () => `http://evil.example:${scene.sites.port}/line`],
  ['to a subdomain', (host: string) => `http://evil.${host}:${scene.sites.port}/line`],
  ['to another port', (host: string) => `http://${host}:${scene.sites.port + 1}/line`],
  ['with a user name', (host: string) => `http://${host}@evil.example:${scene.sites.port}/line`],
  ['to this machine', () => `http://127.0.0.1:${scene.sites.port}/line`],
  ['to another protocol', () => 'file:///etc/passwd'],
  ['without an end', () => '/.well-known/sendlap.txt'],
])('a redirect %s is not followed', async (_name, locationOf) => {
  const { center } = await open();
  const line = await scene.makeLine(stranger, center);
  const location = locationOf(center.host);
  scene.sites.set(center.host, (_request, response) => void response.writeHead(302, { location }).end(line));
  for (const host of ['evil.example', `evil.${center.host}`, '127.0.0.1'])
    scene.sites.set(host, (_request, response) => void response.end(line));
  expect(await scene.checkLine(stranger, center)).toBe('claim_site_unreadable');
  expect(scene.sites.requested.filter((path) => path.endsWith('/line'))).toEqual([]);
});

test.each([
  ['the line of another user', async (center: ClaimedCenter, owner: SignedIn) => scene.makeLine(owner, center)],
  ["the stranger's line of another center", async () => scene.makeLine(stranger, await scene.openCenter())],
  ['the line without its last letter', async (_: ClaimedCenter, _o: SignedIn, line: string) => line.slice(0, -1)],
  ['the line in other letters', async (_: ClaimedCenter, _o: SignedIn, line: string) => line.toUpperCase()],
  ['the line in a comment of a page', async (_: ClaimedCenter, _o: SignedIn, line: string) => `<p>Eve: ${line}</p>`],
  ['the line as an address', async (_: ClaimedCenter, _o: SignedIn, line: string) => `https://club.example/?${line}`],
  ['its name alone', async () => 'sendlap-claim='],
])('%s in the file proves nothing', async (_name, contentOf) => {
  const { center, owner } = await open();
  const line = await scene.makeLine(stranger, center);
  scene.sites.set(center.host, await contentOf(center, owner, line));
  expect(await scene.checkLine(stranger, center)).toBe('claim_line_missing');
});

test('a site that repeats the request proves nothing: the file has one fixed address, and must be there', async () => {
  const { center } = await open();
  const line = await scene.makeLine(stranger, center);
  scene.sites.set(center.host, (request, response) => void response.end(`You asked for\n${request.url}\n`));
  expect(await scene.checkLine(stranger, center)).toBe('claim_line_missing');
  scene.sites.set(center.host, (_request, response) => void response.writeHead(404).end(line));
  expect(await scene.checkLine(stranger, center)).toBe('claim_site_unreadable');
});

test('a file of 200 MB is not read to its end', async () => {
  const { center } = await open();
  const line = await scene.makeLine(stranger, center);
  const chunk = Buffer.alloc(64 * 1024, 'x\n');
  let sent = 0;
  const closed = Promise.withResolvers<void>();
  scene.sites.set(center.host, (_request, response) => {
    response.write(`${line}\n`);
    const pour = () => {
      while (!response.destroyed && sent < ENOUGH_BYTES) {
        sent += chunk.length;
        if (!response.write(chunk)) return;
      }
    };
    response.on('drain', pour).on('close', closed.resolve);
    pour();
  });
  expect(await scene.checkLine(stranger, center)).toBe('claim_site_unreadable');
  await closed.promise;
  expect(sent).toBeLessThan(ENOUGH_BYTES / 10);
});

test.each(Object.keys(NAMES))('the server does not connect to the address of %s', async (host) => {
  const { center } = await open(`http://${host}:${scene.sites.port}/`);
  scene.sites.set(host, await scene.makeLine(stranger, center));
  expect(await scene.checkLine(stranger, center)).toBe('claim_site_unreadable');
  expect(scene.sites.requested.some((path) => path.startsWith(host))).toBe(false);
});

test("a url that changed after the claim began ends it, also if it is the stranger's own edit of the map", async () => {
  const { center } = await open();
  const { database } = scene.api;
  const [line, code] = [await scene.makeLine(stranger, center), await scene.mailCode(stranger, center)];
  const url = `http://evil.example:${scene.sites.port}/`;
  scene.sites.set('evil.example', line);
  await database.updateTable('sport_centers').set({ url }).where('id', '=', center.id).execute();
  expect(await scene.checkLine(stranger, center)).toBe('claim_way_unavailable');
  expect(await scene.redeem(stranger, center, code)).toBe('claim_unknown');
  expect((await mailTo(center, 'eve@evil.example')).code).toBe('claim_way_unavailable');
  // Restored: the change is still fresh.
  await database.updateTable('sport_centers').set({ url: center.url }).where('id', '=', center.id).execute();
  expect((await scene.call(getCenterClaim, stranger, center.id)).data).toMatchObject({ mail: null, line: null });
});

test('a web site that a manager set, who could otherwise come back by it', async () => {
  const { center, owner } = await open();
  const { database } = scene.api;
  const right = { user_id: owner.user.id, sport_center_id: center.id };
  await database.insertInto('managers').values(right).execute();
  const url = `http://evil.example:${scene.sites.port}/`;
  const changed = await scene.call(updateCenterDetails, owner, center.id, { version: 0, url });
  expect(changed.data.url).toBe(url);
  await database.deleteFrom('managers').where('user_id', '=', owner.user.id).execute();
  const settled = { url_changed_at: null };
  await database.updateTable('sport_centers').set(settled).where('id', '=', center.id).execute();
  expect((await scene.call(getCenterClaim, stranger, center.id)).data).toMatchObject({ mail: null, line: null });
  expect((await mailTo(center, 'eve@evil.example')).code).toBe('claim_way_unavailable');
});

test("another user's code, and the code of another center", async () => {
  const { center, owner } = await open();
  const code = await scene.mailCode(owner, center);
  expect(await scene.redeem(stranger, center, code)).toBe('claim_unknown');
  const own_code = await scene.mailCode(stranger, await scene.openCenter());
  await scene.mailCode(stranger, center);
  expect(await scene.redeem(stranger, center, code)).toBe('claim_code_wrong');
  expect(await scene.redeem(stranger, center, own_code)).toBe('claim_code_wrong');
  expect(await scene.redeem(owner, center, code)).toBe('manager');
});

test('a code that a newer mail replaced, or that is empty', async () => {
  const { center } = await open();
  const first = await scene.mailCode(stranger, center);
  await scene.mailCode(stranger, center);
  for (const code of [first, '', ' ', '00000000\u0661', '٠٠٠٠٠٠٠٠'])
    expect(await scene.redeem(stranger, center, code)).toBe('claim_code_wrong');
});

test('the sixth guess at a code counts for nothing, even if it is right', async () => {
  const { center } = await open();
  const code = await scene.mailCode(stranger, center);
  const wrong = code === '0000 0000' ? '0000 0001' : '0000 0000';
  const guesses = await Promise.all(Array.from({ length: 7 }, () => scene.redeem(stranger, center, wrong)));
  expect(guesses.filter((guess) => guess === 'claim_code_wrong')).toHaveLength(5);
  expect(await scene.redeem(stranger, center, code)).toBe('claim_unknown');
});

test('an expired code and an expired line', async () => {
  const { center } = await open();
  const code = await scene.mailCode(stranger, center);
  scene.sites.set(center.host, await scene.makeLine(stranger, center));
  await scene.api.database
    .updateTable('center_claims')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('user_id', '=', stranger.user.id)
    .execute();
  expect(await scene.redeem(stranger, center, code)).toBe('claim_unknown');
  expect(await scene.checkLine(stranger, center)).toBe('claim_unknown');
});

test('a proof is used once: after the right was ended, code and line are worth nothing', async () => {
  const { center } = await open();
  const code = await scene.mailCode(stranger, center);
  const line = await scene.makeLine(stranger, center);
  scene.sites.set(center.host, line);
  expect(await scene.checkLine(stranger, center)).toBe('manager');
  await scene.api.database.deleteFrom('managers').where('user_id', '=', stranger.user.id).execute();
  expect(await scene.checkLine(stranger, center)).toBe('claim_unknown');
  expect(await scene.redeem(stranger, center, code)).toBe('claim_unknown');
});

test('a center that has closed, or has got a manager, since the claim began', async () => {
  const { center, owner } = await open();
  const code = await scene.mailCode(stranger, center);
  scene.sites.set(center.host, `${await scene.makeLine(stranger, center)}\n${await scene.makeLine(owner, center)}`);
  expect(await scene.checkLine(owner, center)).toBe('manager');
  expect(await scene.checkLine(stranger, center)).toBe('claim_way_unavailable');
  expect(await scene.redeem(stranger, center, code)).toBe('claim_way_unavailable');
  const { center: closed } = await open();
  const late_code = await scene.mailCode(stranger, closed);
  await scene.api.database
    .updateTable('sport_centers')
    .set({ closed_at: new Date() })
    .where('id', '=', closed.id)
    .execute();
  expect(await scene.redeem(stranger, closed, late_code)).toBe('sport_center_closed');
});
