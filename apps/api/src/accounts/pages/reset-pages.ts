import { setTimeout } from 'node:timers/promises';
import { FORGOT_PATH } from '@sendlap/contract/wire/screens.ts';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { addressKey, createHourlyLimit } from '#api/http/attempt-limit.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import { PAGE_HEADERS } from '#api/http/pages/page-headers.ts';
import type { Sessions } from '#api/sessions/sessions.ts';
import { createAddressLimit, findAccountByEmail, type ProviderAccount, RATE_LIMIT_RETRY_AFTER_S } from '../accounts.ts';
import { emailKey, isEmail, normalizeEmail } from '../email.ts';
import { createKnownDevices, readDeviceCookie, setDeviceCookie } from '../known-devices.ts';
import { assertFormOrigin, HIDDEN_FROM_OPENAPI, readField, requestedLocale, sendPage } from './forms.ts';
import { createMailer, MailError, type MailSettings } from './mail.ts';
import { createPasswordResets, issueResetLink, MAILED_LIFETIME_MS } from './password-resets.ts';
import { resetMail } from './reset-mail.ts';
import { forgotPage, forgotSentPage, RESET_PATH, resetDonePage, resetInvalidPage, resetPage } from './reset-views.ts';

const HOUR_S = 3_600;
const MAX_LINKS_PER_ACCOUNT = 3;
/** A class or a club behind one address; the limit per account protects the recipients. */
const MAX_LINKS_PER_ADDRESS = 100;
/** So that the work for a known address does not delay its own response. */
const SENDING_DELAY_MS = 250;
/** Mails that are being sent when the server stops get this long to finish. */
const MAIL_FLUSH_MS = 3_000;

export interface ResetPagesOptions {
  database: Database;
  secrets: Secrets;
  /** A new password ends all sessions of its account. */
  sessions: Pick<Sessions, 'endAllWithin' | 'end' | 'findByRefreshToken'>;
  public_url: string;
  /** How password reset links are sent; undefined: only the operator creates links. */
  mail: MailSettings | undefined;
}

/** The pages for a forgotten password: requesting a link only if mail can be sent, the link's own page always. */
export function mountResetPages(app: FastifyInstance, options: ResetPagesOptions): void {
  if (options.mail) mountForgotPage(app, { ...options, mail: options.mail });
  mountResetPage(app, options);
}

/** Known and unknown addresses get the same page, before any work that takes longer for one of them. */
function mountForgotPage(app: FastifyInstance, options: ResetPagesOptions & { mail: MailSettings }): void {
  const { database, secrets, public_url } = options;
  const per_account = createHourlyLimit(database, 'mails of an account', MAX_LINKS_PER_ACCOUNT);
  const per_device = createHourlyLimit(database, 'mails of a device', MAX_LINKS_PER_ACCOUNT);
  const per_address = createHourlyLimit(database, 'mails of an address', MAX_LINKS_PER_ADDRESS);
  const known_devices = createKnownDevices(secrets);
  const sendLink = createLinkSender(app, options);

  app.get(FORGOT_PATH, HIDDEN_FROM_OPENAPI, async (request, reply) =>
    sendPage(reply, PAGE_HEADERS, forgotPage(requestedLocale(request))),
  );

  app.post(FORGOT_PATH, HIDDEN_FROM_OPENAPI, async (request, reply) => {
    assertFormOrigin(request, public_url);
    const locale = requestedLocale(request);
    const email = normalizeEmail(readField(request.body, 'email'));
    if (!isEmail(email)) return sendPage(reply.code(422), PAGE_HEADERS, forgotPage(locale, email, 'email_invalid'));
    // Looked up before the response, so that an unavailable database is reported.
    const account = await findAccountByEmail(database, email);
    const device = account && known_devices.find(readDeviceCookie(request), account);
    if (device === undefined && !(await per_address.tryConsume(addressKey(request.ip)))) {
      reply.code(429).header('retry-after', HOUR_S);
      return sendPage(reply, PAGE_HEADERS, forgotPage(locale, email, 'too_many_links'));
    }
    const [limit, key] = device === undefined ? [per_account, emailKey(email)] : [per_device, device];
    const is_allowed = await limit.tryConsume(key);
    // For the IP address a refused mail counts: only a known address has one, so the next answer would tell it.
    if (is_allowed && account) sendLink(account, locale, () => limit.refund(key));
    return sendPage(reply, PAGE_HEADERS, forgotSentPage(locale));
  });
}

/**
 * Creates the link and mails it after the response; a failure is only logged, without naming the user. `refund` takes a
 * mail back that the mail server refused.
 */
function createLinkSender(
  app: FastifyInstance,
  { database, public_url, mail }: ResetPagesOptions & { mail: MailSettings },
): (account: ProviderAccount, locale: Locale, refund: () => Promise<void>) => void {
  const mailer = createMailer(mail);
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  app.addHook('onClose', async () => {
    await Promise.race([Promise.all(running), setTimeout(MAIL_FLUSH_MS, undefined, { ref: false })]);
    closing.abort();
    await Promise.all(running);
  });

  async function send({ id, email }: ProviderAccount, locale: Locale, refund: () => Promise<void>): Promise<void> {
    await setTimeout(SENDING_DELAY_MS);
    try {
      const link_options = { account_id: id, lifetime_ms: MAILED_LIFETIME_MS, public_url, locale };
      const { link } = await issueResetLink(database, link_options);
      await mailer.send(resetMail(email, link, locale), closing.signal).catch(async (error: MailError) => {
        // Without an answer, the mail may be delivered after all.
        if (error.response_code !== undefined) await refund();
        throw error;
      });
    } catch (error) {
      const log_fields =
        error instanceof MailError ? { code: error.code, response_code: error.response_code } : { err: error };
      app.log.error(log_fields, 'the mail for a forgotten password could not be sent');
    }
  }

  return (account, locale, refund) => {
    const sending = send(account, locale, refund).finally(() => running.delete(sending));
    running.add(sending);
  };
}

function mountResetPage(app: FastifyInstance, options: ResetPagesOptions): void {
  const { database, secrets, sessions, public_url, mail } = options;
  const known_devices = createKnownDevices(secrets);
  const attempts_per_address = createAddressLimit(database);
  // The URL contains the secret: no other page may see it. (With no-referrer the form's own Origin would be null.)
  const headers = { ...PAGE_HEADERS, 'referrer-policy': 'strict-origin' };
  const resets = createPasswordResets({
    database,
    endSessions: (trx, user_id) => sessions.endAllWithin(trx, user_id, 'password_reset'),
  });
  const can_request_link = mail !== undefined;

  // A GET does not use the link up: mail scanners open links too.
  app.get(RESET_PATH, HIDDEN_FROM_OPENAPI, async (request, reply) => {
    const locale = requestedLocale(request);
    const token = readField(request.query, 'token');
    const account = await resets.find(token);
    if (!account) return sendPage(reply.code(400), headers, resetInvalidPage(locale, can_request_link));
    return sendPage(reply, headers, resetPage({ locale, email: account.email, token }));
  });

  app.post(RESET_PATH, HIDDEN_FROM_OPENAPI, async (request, reply) => {
    assertFormOrigin(request, public_url);
    const locale = requestedLocale(request);
    const token = readField(request.body, 'token');
    const account = await resets.find(token);
    const password = readField(request.body, 'password');
    const result = await resets.redeem(token, password, () => attempts_per_address.tryConsume(request.ip));
    if (result === 'done') {
      await attempts_per_address.refund(request.ip);
      // A visitor who can read the account's mail owns it, so the following sign-in gets its own attempts.
      const updated_account = account && (await findAccountByEmail(database, account.email));
      if (updated_account) setDeviceCookie(reply, known_devices.add(readDeviceCookie(request), updated_account));
      return sendPage(reply, headers, resetDonePage(locale));
    }
    if (result === 'link_invalid' || !account)
      return sendPage(reply.code(400), headers, resetInvalidPage(locale, can_request_link));
    const page = { locale, email: account.email, token, problem: result };
    if (result === 'too_many_attempts') {
      return sendPage(reply.code(429).header('retry-after', RATE_LIMIT_RETRY_AFTER_S), headers, resetPage(page));
    }
    return sendPage(reply.code(422), headers, resetPage({ ...page, refused_password: password }));
  });
}
