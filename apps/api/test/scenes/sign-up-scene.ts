import { login } from '@sendlap/contract/auth.ts';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { addressKey, createHourlyLimit } from '#api/http/attempt-limit.ts';
import { buildTestApp, type TestApp } from '../app/app.ts';
import { createBrowser, type TestBrowser } from '../app/browser.ts';
import { addCheapAccount } from '../app/cheap-account.ts';
import { begin, openPage, PASSWORD } from '../app/sign-in.ts';
import { type MailServer, partsOf, startMailServer } from '../servers/mail-server.ts';

const LINK = /http:\/\/localhost:8000(\/oidc\/interaction\/[\w-]+\/confirm)\?token=([\w-]{43})&ui_locales=\w\w/;

/** A link of a mail, with its parts. */
export interface Link {
  path: string;
  token: string;
  url: string;
}

export const NO_LINK: Link = { path: '', token: '', url: '' };

/** Sign-up mails of an IP address and hour, see `sign-up-pages.ts`. */
const MAILS_PER_ADDRESS = 100;

type Fields = Record<string, string>;

/** A visitor at the sign-up's form, with an IP address of their own, so that only the limit under test applies. */
interface Visitor extends TestBrowser {
  /** Of the pages of the sign-in under way. */
  path: string;
  page: LightMyRequestResponse;
  ask(email: string, fields?: Fields, headers?: Fields): Promise<LightMyRequestResponse>;
  /** Sends the form of the last step. */
  finish(link: Link, fields?: Fields, headers?: Fields): Promise<LightMyRequestResponse>;
  login(email: string, password?: string): Promise<LightMyRequestResponse>;
  /** Counts mails for the IP address that were not sent, until so many are left of this hour. */
  leaveMails(count: number): Promise<void>;
}

export type SignUpScene = Awaited<ReturnType<typeof openSignUpScene>>;

/** The app with a mail server. */
export async function openSignUpScene() {
  let refusal: number | false = false;
  let is_closed = false;
  let addresses = 0;
  const mails: MailServer = await startMailServer({
    onConnect: (_session, done) => done(is_closed ? Object.assign(new Error('closed'), { responseCode: 421 }) : null),
    onRcptTo: (_address, _session, done) =>
      done(refusal === false ? null : Object.assign(new Error('not now'), { responseCode: refusal })),
  });
  const env = { SMTP_URL: mails.url, MAIL_FROM: 'Sendlap <no-reply@sendlap.example>', TRUST_PROXY: '127.0.0.1' };
  const test_app: TestApp = await buildTestApp({ env });
  const { app, database } = test_app;
  const per_address = createHourlyLimit(database, 'sign-up mails of an address', MAILS_PER_ADDRESS);

  async function newVisitor(query: Fields = {}): Promise<Visitor> {
    addresses += 1;
    const browser = createBrowser(app);
    const ip = `203.0.113.${addresses}`;
    const headers = { 'x-forwarded-for': ip };
    const post = (path: string, form: Fields, more: Fields = {}) =>
      browser.request(path, { method: 'POST', form, headers: { ...headers, ...more } });
    const { path, page } = await openPage(browser, await begin(browser, { signup: 'true', ...query }));
    const good_fields = { display_name: 'Ada L.', password: PASSWORD, ui_locales: 'en' };
    return {
      ...browser,
      path,
      page,
      ask: (email, fields, more) => post(`${path}/sign-up`, { email, ...fields }, more),
      finish: (link, fields, more) => post(link.path, { token: link.token, ...good_fields, ...fields }, more),
      login: (email, password = PASSWORD) =>
        browser.request(login.path, { method: 'POST', json: { email, password }, headers }),
      async leaveMails(count) {
        for (let used = count; used < MAILS_PER_ADDRESS; used += 1) {
          expect(await per_address.tryConsume(addressKey(ip))).toBe(true);
        }
      },
    };
  }

  /** Returns the texts of the mails that reached an address. */
  const readMails = (email: string) => Promise.all(mails.received.filter(({ to }) => to.includes(email)).map(partsOf));

  /** Returns the links that reached an address. */
  async function readLinks(email: string): Promise<Link[]> {
    return (await readMails(email)).map(({ text }) => {
      const [url = '', path = '', token = ''] = LINK.exec(text) ?? [];
      return { url, path, token };
    });
  }

  return {
    test_app,
    mails,
    newVisitor,
    readMails,
    readLinks,
    /** With this reply code, e.g. 451; false: takes them again. */
    refuseMails(reply_code: number | false) {
      refusal = reply_code;
    },
    /** The server lets no one in; false: opens it again. */
    closeMails(closed: boolean) {
      is_closed = closed;
    },
    /** Begins a sign-up in a browser of its own; returns the link of its mail. */
    async newLink(email: string): Promise<Link> {
      expect((await (await newVisitor()).ask(email)).statusCode).toBe(200);
      const link = (await readLinks(email)).at(-1);
      if (!link) throw new Error('no mail');
      return link;
    },
    addAccount: (email: string) => addCheapAccount(database, { email, display_name: 'Ada L.', password: PASSWORD }),
    async countAccounts(email: string): Promise<number> {
      return (await database.selectFrom('provider_accounts').select('id').where('email', '=', email).execute()).length;
    },
    readSignUps: () => database.selectFrom('provider_sign_ups').selectAll().execute(),
    async close() {
      await test_app.close();
      await mails.close();
    },
  };
}
