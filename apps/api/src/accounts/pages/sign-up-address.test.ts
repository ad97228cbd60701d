import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser } from '#test/app/browser.ts';
import { refusalOf } from '#test/app/sign-in.ts';
import { NO_LINK, openSignUpScene, type SignUpScene } from '#test/scenes/sign-up-scene.ts';

let scene: SignUpScene;
beforeAll(async () => {
  scene = await openSignUpScene();
});
afterAll(() => scene.close());

describe('the address of a sign-up', () => {
  test('gets the same answer with and without an account; only its mail differs', async () => {
    await scene.addAccount('known@example.org');
    const known = await (await scene.newVisitor()).ask('Known@example.org');
    const unknown = await (await scene.newVisitor()).ask('unknown@example.org');
    const bare = (body: string) =>
      body.replaceAll(/interaction\/[\w-]+/g, 'interaction/x').replaceAll(/(unk|K)nown@/g, 'x@');
    expect([known.statusCode, unknown.statusCode]).toEqual([200, 200]);
    expect(bare(known.body)).toBe(bare(unknown.body));
    const names = (reply: typeof known) => Object.keys(reply.headers).toSorted();
    expect(names(known)).toEqual(names(unknown));
    expect(unknown.body).toContain('Check your e-mail');

    const [mail] = await scene.readMails('Known@example.org');
    expect(mail?.text).toContain('has an account already');
    expect(mail?.text).toContain('http://localhost:8000/login');
    expect(mail?.text).toContain('http://localhost:8000/oidc/forgot?ui_locales=en');
    expect(mail?.text).not.toContain('token');
    expect((await scene.readSignUps()).map(({ email }) => email)).toEqual(['unknown@example.org']);
    expect(await scene.countAccounts('unknown@example.org')).toBe(0);
    expect((await (await scene.newVisitor()).login('known@example.org')).statusCode).toBe(200);
  });

  test.each([
    'no-at-sign',
    'a@b@example.org',
    'nul\u0000@example.org',
    'dot@example.org.',
    'dots@example..org',
    'path@example.org/x',
    '',
  ])('%j is refused', async (email) => {
    const count = scene.mails.received.length;
    const reply = await (await scene.newVisitor()).ask(email);
    expect([reply.statusCode, reply.body.includes('check the e-mail')]).toEqual([422, true]);
    expect(scene.mails.received).toHaveLength(count);
  });

  test('is refused from another site, and in a browser that began no sign-in', async () => {
    const visitor = await scene.newVisitor();
    for (const origin of ['https://evil.example', 'null']) {
      expect(refusalOf(await visitor.ask('foreign@example.org', {}, { origin }))).toEqual([400, 'origin_not_allowed']);
    }
    const stranger = createBrowser(scene.test_app.app);
    const form = { email: 'foreign@example.org' };
    const reply = await stranger.request(`${visitor.path}/sign-up`, { method: 'POST', form });
    expect([reply.statusCode, reply.body.includes('expired')]).toEqual([400, true]);
    expect(await scene.readMails('foreign@example.org')).toEqual([]);
  });

  test('gets three mails an hour, known or not, and each of their links works', async () => {
    await scene.addAccount('often.known@example.org');
    for (const email of ['often.known@example.org', 'often@example.org']) {
      const visitor = await scene.newVisitor();
      expect((await visitor.ask(email)).body).not.toContain('Another mail');
      for (let count = 2; count <= 3; count += 1) {
        const again = await visitor.ask(email, { repeat: '1' });
        expect([again.statusCode, again.body.includes('Another e-mail is on its way')]).toEqual([200, true]);
      }
      const fourth = await (await scene.newVisitor()).ask(email.toUpperCase());
      expect([fourth.statusCode, fourth.headers['retry-after']]).toEqual([429, '3600']);
      expect(fourth.body).toContain('several e-mails');
      expect(await scene.readMails(email)).toHaveLength(3);
    }
    const urls = (await scene.readLinks('often@example.org')).map(({ url }) => url);
    expect(new Set(urls).size).toBe(3);
    for (const url of urls) expect((await createBrowser(scene.test_app.app).request(url)).statusCode).toBe(200);
  });

  test('counts once in all the forms in which mail servers take it for one', async () => {
    const forms = [
      'forms@bücher.example',
      'forms@BÜCHER.example',
      'forms@xn--bcher-kva.example',
      'forms@bü\u00adcher.example',
    ];
    const statuses: number[] = [];
    for (const form of forms) statuses.push((await (await scene.newVisitor()).ask(form)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const links = await scene.readLinks('forms@bücher.example');
    expect(links).toHaveLength(3);
    for (const [index, expected] of [200, 400, 400].entries()) {
      expect((await (await scene.newVisitor()).finish(links[index] ?? NO_LINK)).statusCode).toBe(expected);
    }
    expect((await (await scene.newVisitor()).login(forms[2] ?? '')).statusCode).toBe(200);
  });

  test('has to wait as the 101st of an hour from one IP address', async () => {
    const visitor = await scene.newVisitor();
    for (let count = 1; count <= 100; count += 1) {
      expect((await visitor.ask(`many${count}@example.org`)).statusCode).toBe(200);
    }
    const last = await visitor.ask('many101@example.org');
    expect([last.statusCode, last.headers['retry-after']]).toEqual([429, '3600']);
    expect(last.body).toContain('Too many requests from here');
    expect(await scene.readMails('many101@example.org')).toEqual([]);
  });

  test('gets its mail after an outage of the mail server in which more of the same IP address asked than it has mails left', async () => {
    const visitor = await scene.newVisitor();
    await visitor.leaveMails(2);
    scene.closeMails(true);
    for (let count = 1; count <= 4; count += 1) {
      expect((await visitor.ask(`pupil${count}@example.org`)).statusCode).toBe(503);
    }
    scene.closeMails(false);
    expect((await visitor.ask('pupil1@example.org')).statusCode).toBe(200);
    expect(await scene.readMails('pupil1@example.org')).toHaveLength(1);
  });

  test.each([451, 550])('counts for its IP address if the mail server refuses it with %i', async (reply_code) => {
    const visitor = await scene.newVisitor();
    await visitor.leaveMails(2);
    scene.refuseMails(reply_code);
    for (let count = 1; count <= 2; count += 1) {
      expect((await visitor.ask(`guess${count}@example.org`)).statusCode).toBe(503);
    }
    scene.refuseMails(false);
    expect((await visitor.ask('guess3@example.org')).statusCode).toBe(429);
  });

  test('shows that the mail server refused, known or not, and stores nothing', async () => {
    await scene.addAccount('outage.known@example.org');
    scene.refuseMails(451);
    const rows = await scene.readSignUps();
    for (const email of ['outage.known@example.org', 'outage@example.org']) {
      const reply = await (await scene.newVisitor()).ask(email);
      expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '60']);
      expect(reply.body).toContain('could not be sent');
      expect(reply.body).toContain(`value="${email}"`);
    }
    expect(await scene.readSignUps()).toEqual(rows);
    for (let count = 2; count <= 4; count += 1) {
      expect((await (await scene.newVisitor()).ask('outage@example.org')).statusCode).toBe(503);
    }
    scene.refuseMails(false);
    expect((await scene.newLink('outage@example.org')).token).not.toBe('');
  });
});

test('form, mails and last step speak the language of the sign-in', async () => {
  await scene.addAccount('conocida@example.org');
  const visitor = await scene.newVisitor({ ui_locales: 'es' });
  expect(visitor.page.body).toContain('Te llegará un enlace por correo');
  expect((await visitor.ask('conocida@example.org')).body).toContain('Mira tu correo');
  expect((await scene.readMails('conocida@example.org'))[0]?.text).toContain('que ya tiene una');
  await visitor.ask('nueva@example.org');
  const [mail] = await scene.readMails('nueva@example.org');
  expect(mail?.text).toContain('Abre este enlace');
  expect(mail?.html).toContain('lang="es"');
  expect(mail?.html).not.toMatch(/<img|<script|<link|src=/);
  const [link] = await scene.readLinks('nueva@example.org');
  const page = await createBrowser(scene.test_app.app).request(link?.url ?? '');
  expect(page.body).toContain('<html lang="es">');
  expect(page.body).toContain('El último paso');
});
