import { sendClaimMail } from '@sendlap/contract/center-management/claims.ts';
import { cleanText } from '@sendlap/domain/names.ts';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMailer } from '#api/accounts/pages/mail.ts';
import { type ClaimScene, openClaimScene } from '#test/scenes/claim-scene.ts';
import { claimMail } from './claim-mail.ts';

const NAMES = [
  ['a header', 'Club\r\nBcc: eve@evil.example'],
  ['a header after a bare line feed', 'Club\nBcc: eve@evil.example'],
  ['a header after a bare carriage return', 'Club\rBcc: eve@evil.example'],
  ['a body', 'Club\r\n\r\n<a href="https://evil.example">'],
  ['a header after a folded line', 'Club\r\n folded\r\nBcc: eve@evil.example'],
];
/** Of each mail of the server. */
const USUAL_HEADERS = ['from', 'to', 'subject', 'date', 'message-id', 'auto-submitted', 'mime-version', 'content-type'];

let scene: ClaimScene;
beforeAll(async () => {
  scene = await openClaimScene();
});
afterAll(() => scene.close());

/** Returns the last mail's subject; its readers and headers are the usual ones. */
async function readSubject(to: string): Promise<string | undefined> {
  const mail = scene.mails.received.at(-1);
  expect(mail?.to).toEqual([to]);
  const { headers, subject } = await PostalMime.parse(mail?.raw ?? '');
  expect(headers.map(({ key }) => key).filter((key) => !USUAL_HEADERS.includes(key))).toEqual([]);
  return subject;
}

test.each(NAMES)('%s in the name of a center stays text of the subject', async (_what, name) => {
  const center = await scene.openCenter();
  const eve = await scene.api.signIn('Eve');
  await scene.api.database.updateTable('sport_centers').set({ name }).where('id', '=', center.id).execute();
  const email = `info@${center.host}`;
  expect((await scene.call(sendClaimMail, eve, center.id, { email, language: 'en' })).status).toBe(202);
  expect(await readSubject(email)).toBe(`Your code to manage ${cleanText(name)} on Sendlap`);
});

test.each(NAMES)('%s in a subject stays text also for the mailer alone', async (_what, center_name) => {
  const mailer = createMailer({ smtp_url: scene.mails.url, from: 'sendlap@server.example' });
  const to = 'info@club.example';
  const mail = claimMail({ to, code: '12345678', center_name, public_id: 'eve', host: 'server.example' }, 'en');
  await mailer.send(mail, AbortSignal.timeout(5_000));
  expect((await readSubject(to))?.replaceAll(/\s+/g, ' ')).toBe(
    `Your code to manage ${cleanText(center_name)} on Sendlap`,
  );
});
