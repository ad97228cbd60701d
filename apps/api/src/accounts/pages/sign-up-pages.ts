import { FORGOT_PATH, LOGIN_PATH } from '@sendlap/contract/wire/screens.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { type AttemptLimit, addressKey, createHourlyLimit } from '#api/http/attempt-limit.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import { createAddressLimit, createProver, RATE_LIMIT_RETRY_AFTER_S } from '../accounts.ts';
import { emailKey, isEmail, normalizeEmail } from '../email.ts';
import { readDeviceCookie, setDeviceCookie } from '../known-devices.ts';
import { createMailedSignUps } from '../mailed-sign-ups.ts';
import { interactionPath } from '../paths.ts';
import { assertFormOrigin, HIDDEN_FROM_OPENAPI, readField, requestedLocale, sendPage } from './forms.ts';
import {
  findInteraction,
  finishSignIn,
  INTERACTION_ROUTE,
  type InteractionOptions,
  type Params,
  sendExpiredNotice,
  toFormPage,
} from './interactions.ts';
import { createMailer, isRefusalOfMail, MailError, type MailSettings } from './mail.ts';
import { mailedSignUpPage } from './sign-in-views.ts';
import { existingAccountMail, signUpMail } from './sign-up-mails.ts';
import { lastStepPage, signUpDonePage, signUpInvalidPage, signUpSentPage } from './sign-up-views.ts';
import type { MailProblem } from './texts.ts';

const HOUR_S = 3_600;
const MAX_MAILS_PER_EMAIL = 3;
/** A class or a club's first evening behind one address; the limit per e-mail protects the recipients. */
const MAX_MAILS_PER_ADDRESS = 100;
/** Shorter than a browser or a proxy waits for a page. */
const SEND_TIMEOUT_MS = 15_000;
const MAIL_RETRY_S = 60;
/** The app keeps its own record of a sign-in for 10 minutes only: an older sign-in would fail on its return. */
const MAX_SIGN_IN_AGE_S = 9 * 60;

interface MailedSignUpOptions extends InteractionOptions {
  database: Database;
  secrets: Secrets;
  mail: MailSettings;
}

/**
 * Sign-up in two steps: the form takes the address, the mailed link the name and the password. So known and unknown
 * addresses get the same answer, and only a person who reads the address' mail chooses its password.
 */
export function mountMailedSignUp(app: FastifyInstance, options: MailedSignUpOptions): void {
  mountEmailForm(app, options);
  mountConfirmPage(app, options);
}

/** The form that takes the e-mail address and sends the mail. */
function mountEmailForm(app: FastifyInstance, options: MailedSignUpOptions): void {
  const { database, provider, public_url, headers } = options;
  const per_email = createHourlyLimit(database, 'sign-up mails of an e-mail', MAX_MAILS_PER_EMAIL);
  const per_address = createHourlyLimit(database, 'sign-up mails of an address', MAX_MAILS_PER_ADDRESS);
  const sendMail = createSignUpSender(app, { ...options, per_email, per_address });

  app.post<{ Params: Params }>(`${INTERACTION_ROUTE}/sign-up`, HIDDEN_FROM_OPENAPI, async (request, reply) => {
    assertFormOrigin(request, public_url);
    const interaction = await findInteraction(request, reply, provider);
    if (!interaction) return sendExpiredNotice(request, reply, headers);
    const email = normalizeEmail(readField(request.body, 'email'));
    const page = { ...toFormPage(request, interaction, options), email };
    const refuse = (status: number, problem: MailProblem | 'email_invalid', retry_after_s?: number) => {
      if (retry_after_s !== undefined) reply.header('retry-after', retry_after_s);
      return sendPage(reply.code(status), headers, mailedSignUpPage({ ...page, problem }));
    };
    if (!isEmail(email)) return refuse(422, 'email_invalid');
    if (!(await per_address.tryConsume(addressKey(request.ip)))) return refuse(429, 'too_many_links', HOUR_S);
    // Counted whether the address has an account or not.
    if (!(await per_email.tryConsume(emailKey(email)))) return refuse(429, 'too_many_mails', HOUR_S);
    const is_sent = await sendMail({ email, ip: request.ip, uid: interaction.uid, locale: page.locale });
    if (!is_sent) return refuse(503, 'mail_failed', MAIL_RETRY_S);
    const is_repeat = readField(request.body, 'repeat') !== '';
    return sendPage(reply, headers, signUpSentPage({ page, email, is_repeat }));
  });
}

interface SignUpMailLimits {
  per_email: AttemptLimit;
  per_address: AttemptLimit;
}

interface RequestedMail {
  email: string;
  /** Of the visitor. */
  ip: string;
  uid: string;
  locale: Locale;
}

/**
 * Mails the link to an address without an account, and to one with an account how to sign in. Returns false if the mail
 * server does not take the mail: then the sign-up is removed, the mail does not count, and the log names no address.
 */
function createSignUpSender(
  app: FastifyInstance,
  { database, public_url, mail, per_email, per_address }: MailedSignUpOptions & SignUpMailLimits,
) {
  const sign_ups = createMailedSignUps(database);
  const mailer = createMailer(mail);
  const signInLinks = (locale: Locale) => ({
    sign_in: `${public_url}${LOGIN_PATH}`,
    forgot: `${public_url}${FORGOT_PATH}?ui_locales=${locale}`,
  });

  return async ({ email, ip, uid, locale }: RequestedMail): Promise<boolean> => {
    const token = await sign_ups.begin(email);
    const link = `${public_url}${confirmPath(uid)}?token=${token}&ui_locales=${locale}`;
    const content =
      token === null ? existingAccountMail(email, signInLinks(locale), locale) : signUpMail(email, link, locale);
    const timeout = AbortSignal.timeout(SEND_TIMEOUT_MS);
    try {
      await mailer.send(content, timeout);
      return true;
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const { code, response_code } = error;
      app.log.error({ code, response_code }, 'the mail for a sign-up could not be sent');
      await sign_ups.cancel(token);
      // A slow mail server may deliver the mail after all.
      if (timeout.aborted) return false;
      await per_email.refund(emailKey(email));
      // A refusal of this mail stays counted: by such answers a stranger could find out which e-mail addresses exist.
      if (!isRefusalOfMail(error)) await per_address.refund(addressKey(ip));
      return false;
    }
  };
}

const confirmPath = (uid: string) => `${interactionPath(encodeURIComponent(uid))}/confirm`;

/** The page of the mailed link: a form for name and password. */
function mountConfirmPage(app: FastifyInstance, options: MailedSignUpOptions): void {
  const { database, secrets, public_url } = options;
  const sign_ups = createMailedSignUps(database);
  const toProvenAccount = createProver(secrets);
  const attempts_per_address = createAddressLimit(database);
  // The URL contains the secret: no other page may see it. (With no-referrer the form's own Origin would be null.)
  const headers = { ...options.headers, 'referrer-policy': 'strict-origin' };

  // A GET does not use the link up: mail scanners open links too.
  app.get<{ Params: Params }>(`${INTERACTION_ROUTE}/confirm`, HIDDEN_FROM_OPENAPI, async (request, reply) => {
    const locale = requestedLocale(request);
    const token = readField(request.query, 'token');
    const sign_up = await sign_ups.find(token);
    if (!sign_up) return sendPage(reply.code(400), headers, signUpInvalidPage(locale));
    const path = confirmPath(request.params.uid);
    return sendPage(reply, headers, lastStepPage({ locale, path, token, email: sign_up.email }));
  });

  app.post<{ Params: Params }>(`${INTERACTION_ROUTE}/confirm`, HIDDEN_FROM_OPENAPI, async (request, reply) => {
    assertFormOrigin(request, public_url);
    const locale = requestedLocale(request);
    const token = readField(request.body, 'token');
    const display_name = readField(request.body, 'display_name');
    const password = readField(request.body, 'password');
    const sign_up = await sign_ups.find(token);
    const result = await sign_ups.redeem(token, { display_name, password }, () =>
      attempts_per_address.tryConsume(request.ip),
    );
    if (typeof result !== 'string') {
      await attempts_per_address.refund(request.ip);
      const account = toProvenAccount(result, readDeviceCookie(request));
      if (await canFinishSignIn(request, reply, options)) {
        return finishSignIn(request, reply, { provider: options.provider, account });
      }
      setDeviceCookie(reply, account.device_cookie);
      return sendPage(reply, headers, signUpDonePage(locale));
    }
    if (result === 'link_invalid' || !sign_up) return sendPage(reply.code(400), headers, signUpInvalidPage(locale));
    const page = { locale, path: confirmPath(request.params.uid), token, email: sign_up.email, display_name };
    const refused_password = result.startsWith('password_') ? password : undefined;
    if (result === 'too_many_attempts') reply.code(429).header('retry-after', RATE_LIMIT_RETRY_AFTER_S);
    else reply.code(422);
    return sendPage(reply, headers, lastStepPage({ ...page, problem: result, refused_password }));
  });
}

/** Returns whether this browser began the sign-up, and its sign-in is young enough to end in the app. */
async function canFinishSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { provider }: InteractionOptions,
): Promise<boolean> {
  const interaction = await findInteraction(request, reply, provider);
  return interaction !== undefined && Date.now() / 1000 - interaction.iat < MAX_SIGN_IN_AGE_S;
}
