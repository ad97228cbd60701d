import { createHash } from 'node:crypto';
import { getMe } from '@sendlap/contract/auth.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser } from '#test/app/browser.ts';
import { bearer, complete, dataOf, followBack, PASSWORD, refusalOf } from '#test/app/sign-in.ts';
import { type Link, NO_LINK, openSignUpScene, type SignUpScene } from '#test/scenes/sign-up-scene.ts';
import { createSignUpPruning } from '../mailed-sign-ups.ts';

let scene: SignUpScene;
beforeAll(async () => {
  scene = await openSignUpScene();
});
afterAll(() => scene.close());

describe('the link of the mail', () => {
  test('leads the browser that began into the app, signed in, and works once', async () => {
    const visitor = await scene.newVisitor();
    expect(visitor.page.body).not.toContain('name="password"');
    await visitor.ask('ada@example.org');
    const [link = NO_LINK] = await scene.readLinks('ada@example.org');
    const page = await visitor.request(link.url);
    expect(page.statusCode).toBe(200);
    expect(page.body).toMatch(/value="ada@example\.org"[^>]*readonly/);
    expect(page.body).toContain('autocomplete="new-password"');

    const back = await followBack(visitor, await visitor.finish(link));
    const signed_in = await complete(visitor, back);
    expect(signed_in.statusCode).toBe(200);
    expect(dataOf(await visitor.request(getMe.path, bearer(signed_in))).user.name).toBe('Ada L.');

    const stranger = await scene.newVisitor();
    for (const reply of [
      await stranger.finish(link, { password: 'a sentence of Eve, who came later' }),
      await stranger.request(link.url),
    ]) {
      expect([reply.statusCode, reply.body.includes('no longer works')]).toEqual([400, true]);
    }
    expect((await visitor.login('ada@example.org')).statusCode).toBe(200);
  });

  test('works in another browser, which is not signed in; the first one signs in where it was', async () => {
    const laptop = await scene.newVisitor();
    await laptop.ask('two@example.org');
    const [link = NO_LINK] = await scene.readLinks('two@example.org');
    const phone = createBrowser(scene.test_app.app);
    const form = { token: link.token, display_name: 'Two', password: PASSWORD, ui_locales: 'en' };
    const done = await phone.request(link.path, { method: 'POST', form });
    expect(done.statusCode).toBe(200);
    expect(done.body).toContain('Your account is ready');
    expect([...phone.cookies.keys()]).toEqual(['__Host-sendlap_devices']);

    const path = /href="([^"]*\/sign-in)"/.exec((await laptop.ask('two@example.org')).body)?.[1] ?? '';
    expect(path).toBe(`${laptop.path}/sign-in`);
    const posted = await laptop.request(path, {
      method: 'POST',
      form: { email: 'two@example.org', password: PASSWORD },
    });
    expect((await complete(laptop, await followBack(laptop, posted))).statusCode).toBe(200);
  });

  test('ends in a page, not in a refusal, when its sign-in has expired', async () => {
    const visitor = await scene.newVisitor();
    await visitor.ask('slow@example.org');
    const [link = NO_LINK] = await scene.readLinks('slow@example.org');
    const records = await scene.test_app.database.selectFrom('provider_records').selectAll().execute();
    const record = records.find(({ id }) => visitor.path.endsWith(id));
    const payload = record?.payload as { iat: number };
    await scene.test_app.database
      .updateTable('provider_records')
      .set({ payload: JSON.stringify({ ...payload, iat: payload.iat - 9 * 60 }) })
      .where('id', '=', record?.id ?? '')
      .execute();
    const done = await visitor.finish(link);
    expect([done.statusCode, done.body.includes('Your account is ready')]).toEqual([200, true]);
    expect((await visitor.login('slow@example.org')).statusCode).toBe(200);
  });

  test('is not used up by looking at it, which mail scanners do', async () => {
    const link = await scene.newLink('scanned@example.org');
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      expect((await scene.test_app.app.inject({ method, url: link.url })).statusCode).toBe(200);
    }
    expect(await scene.countAccounts('scanned@example.org')).toBe(0);
    expect((await (await scene.newVisitor()).finish(link)).statusCode).toBe(200);
    expect(await scene.countAccounts('scanned@example.org')).toBe(1);
  });

  test('is refused after 24 hours, and removed then', async () => {
    const link = await scene.newLink('late@example.org');
    const token_hash = createHash('sha256').update(link.token).digest();
    const row = (await scene.readSignUps()).find((each) => each.token_hash.equals(token_hash));
    const lifetime_ms = (row?.expires_at.getTime() ?? 0) - Date.now();
    expect(Math.abs(lifetime_ms - 24 * 3_600_000)).toBeLessThan(60_000);
    const pruning = createSignUpPruning({ database: scene.test_app.database, log: { warn() {} } });
    await pruning.run();
    expect((await scene.readSignUps()).map(({ email }) => email)).toContain('late@example.org');
    await scene.test_app.database
      .updateTable('provider_sign_ups')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('token_hash', '=', token_hash)
      .execute();
    const visitor = await scene.newVisitor();
    expect((await visitor.request(link.url)).statusCode).toBe(400);
    expect((await visitor.finish(link)).statusCode).toBe(400);
    expect(await scene.countAccounts('late@example.org')).toBe(0);
    expect(await pruning.run()).toBe(1);
    expect((await scene.readSignUps()).map(({ email }) => email)).not.toContain('late@example.org');
  });

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(5000), '\u0000', "' or 1=1 --"])('is refused as %j', async (token) => {
    const visitor = await scene.newVisitor();
    const link = { path: `${visitor.path}/confirm`, token, url: '' };
    const opened = await visitor.request(`${link.path}?${new URLSearchParams({ token })}`);
    const posted = await visitor.finish(link);
    expect([opened.statusCode, posted.statusCode]).toEqual([400, 400]);
    expect(posted.body).toContain('href="/login"');
    expect(posted.body).toContain('href="/register"');
  });

  test('is refused from pages of other sites', async () => {
    const link = await scene.newLink('elsewhere@example.org');
    const visitor = await scene.newVisitor();
    expect(refusalOf(await visitor.finish(link, {}, { origin: 'https://evil.example' }))).toEqual([
      400,
      'origin_not_allowed',
    ]);
    expect(await scene.countAccounts('elsewhere@example.org')).toBe(0);
  });

  test('stays usable after a refused name or password, which the form keeps', async () => {
    const link = await scene.newLink('weak@example.org');
    const visitor = await scene.newVisitor();
    for (const [fields, text] of [
      [{ password: 'short' }, 'at least 8'],
      [{ password: 'weak@example.org' }, 'easy to guess'],
      [{ display_name: ' \u202e ' }, 'enter a display name'],
      [{ display_name: 'n'.repeat(41) }, 'at most 40'],
    ] as const) {
      const reply = await visitor.finish(link, fields);
      expect([reply.statusCode, reply.body.includes(text)]).toEqual([422, true]);
      if ('password' in fields) expect(reply.body).toContain(`value="${fields.password}"`);
      expect(reply.body).not.toContain(PASSWORD);
    }
    const markup = await visitor.finish(link, { display_name: '"><b>', password: 'short' });
    expect(markup.body).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect((await visitor.finish(link, { email: 'eve@example.org' })).statusCode).toBe(200);
    expect([await scene.countAccounts('weak@example.org'), await scene.countAccounts('eve@example.org')]).toEqual([
      1, 0,
    ]);
  });

  test('is void once its address has an account by another way', async () => {
    const link = await scene.newLink('made@example.org');
    await scene.addAccount('made@example.org');
    const visitor = await scene.newVisitor();
    expect((await visitor.request(link.url)).statusCode).toBe(400);
    expect((await visitor.finish(link, { password: 'a sentence of Eve' })).statusCode).toBe(400);
    expect((await visitor.login('made@example.org')).statusCode).toBe(200);

    const { database } = scene.test_app;
    await createSignUpPruning({ database, log: { warn() {} } }).run();
    expect((await scene.readSignUps()).map(({ email }) => email)).not.toContain('made@example.org');
    await database.deleteFrom('provider_accounts').where('email', '=', 'made@example.org').execute();
    expect((await visitor.request(link.url)).statusCode).toBe(400);
  });

  test('has to wait as the 21st sign-in or sign-up of a minute from one IP address, and stays usable', async () => {
    const link = await scene.newLink('busy@example.org');
    const visitor = await scene.newVisitor();
    const names = Array.from({ length: 20 }, (_, index) => `other${index}@example.org`);
    await Promise.all(names.map((email) => visitor.login(email)));
    const reply = await visitor.finish(link);
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '60']);
    expect(reply.body).toContain('Too many attempts');
    expect(reply.body).not.toContain(PASSWORD);
    expect(await scene.countAccounts('busy@example.org')).toBe(0);
    expect((await (await scene.newVisitor()).finish(link)).statusCode).toBe(200);
  });

  test('posts its form to its own sign-in, whatever id the address contains', async () => {
    const { token } = await scene.newLink('crooked@example.org');
    for (const uid of ['../../v1/x?', '"><script>', '%0d%0a', '..']) {
      const url = `/oidc/interaction/${encodeURIComponent(uid).replaceAll('.', '%2e')}x/confirm?token=${token}`;
      const page = await (await scene.newVisitor()).request(url);
      const action = / action="([^"]*)"/.exec(page.body)?.[1];
      expect([page.statusCode, action]).toEqual([200, `/oidc/interaction/${encodeURIComponent(uid)}x/confirm`]);
    }
  });

  test('makes one account, however many links of an address are used at once', async () => {
    const email = 'race@example.org';
    const links = [await scene.newLink(email), await scene.newLink(email), await scene.newLink(email)];
    const visitors = await Promise.all(Array.from({ length: 12 }, () => scene.newVisitor()));
    const replies = await Promise.all(
      // More requests than the database has connections: none may wait for a second connection.
      visitors.map((visitor, index) =>
        visitor.finish(links[index % 3] as Link, { password: `the sentence number ${index}` }),
      ),
    );
    const statuses = replies.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(11).fill(400)]);
    const winner = statuses.indexOf(200);
    expect(await scene.countAccounts(email)).toBe(1);
    expect((await scene.readSignUps()).filter((row) => row.email === email)).toEqual([]);
    const visitor = await scene.newVisitor();
    expect((await visitor.login(email, `the sentence number ${winner}`)).statusCode).toBe(200);
    expect((await visitor.login(email, `the sentence number ${(winner + 1) % 12}`)).statusCode).toBe(401);
  });

  test('holds its secret alone: the database has a hash, and no page may hand it on', async () => {
    const link = await scene.newLink('secret@example.org');
    const rows = await scene.readSignUps();
    expect(rows.every(({ token_hash }) => token_hash.length === 32)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(link.token);
    const page = await (await scene.newVisitor()).request(link.url);
    expect(page.headers['referrer-policy']).toBe('strict-origin');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.body.split(link.token)).toHaveLength(2);
    expect(page.body).toContain(`<input type="hidden" name="token" value="${link.token}">`);
  });
});
