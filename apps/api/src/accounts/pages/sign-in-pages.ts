import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors, type Interaction, type Provider } from 'oidc-provider';
import { chooseLocale } from '#api/http/pages/locale.ts';
import {
  type Accounts,
  type AttemptOrigin,
  type NewAccount,
  type ProvenAccount,
  TOO_MANY_RETRY_S,
} from '../accounts.ts';
import { readDeviceCookie, setDeviceCookie } from '../known-devices.ts';
import { interactionPath } from '../paths.ts';
import { toAmr } from '../proven-password.ts';
import { assertFormOrigin, HIDDEN_FROM_OPENAPI, readField, sendPage } from './forms.ts';
import { FORGOT_PATH } from './reset-views.ts';
import { type FormPage, noticePage, signInPage, signUpPage } from './sign-in-views.ts';
import type { PageProblem } from './texts.ts';

interface SignInPagesOptions {
  provider: Provider;
  accounts: Accounts;
  public_url: string;
  headers: Record<string, string>;
  /** The server mails password reset links. */
  sends_mail: boolean;
}

type Params = { uid: string };
const ROUTE = interactionPath(':uid');
const PASSWORD_REFUSALS: readonly PageProblem[] = ['password_short', 'password_long', 'password_common'];

/**
 * The two forms. They only work in the browser that began the sign-in: the provider's signed cookie (SameSite=Lax) must
 * name the interaction in the URL, and posts must come from our own origin.
 */
export function mountSignInPages(app: FastifyInstance, options: SignInPagesOptions): void {
  const { accounts, headers } = options;

  const showForm = async (request: FastifyRequest, reply: FastifyReply, form?: 'sign-in' | 'sign-up') => {
    const interaction = await findInteraction(request, reply, options.provider);
    if (!interaction) return sendExpiredNotice(request, reply, headers);
    const chosen = form ?? (interaction.prompt.name === 'create' ? 'sign-up' : 'sign-in');
    const page = toFormPage(request, interaction, options);
    return sendPage(reply, headers, chosen === 'sign-up' ? signUpPage(page) : signInPage(page));
  };

  app.get<{ Params: Params }>(ROUTE, HIDDEN_FROM_OPENAPI, (request, reply) => showForm(request, reply));
  app.get<{ Params: Params }>(`${ROUTE}/sign-in`, HIDDEN_FROM_OPENAPI, (request, reply) =>
    showForm(request, reply, 'sign-in'),
  );
  app.get<{ Params: Params }>(`${ROUTE}/sign-up`, HIDDEN_FROM_OPENAPI, (request, reply) =>
    showForm(request, reply, 'sign-up'),
  );

  app.post<{ Params: Params }>(`${ROUTE}/sign-in`, HIDDEN_FROM_OPENAPI, (request, reply) =>
    submit(request, reply, { ...options, render: signInPage, attempt: accounts.signIn }),
  );
  app.post<{ Params: Params }>(`${ROUTE}/sign-up`, HIDDEN_FROM_OPENAPI, (request, reply) =>
    submit(request, reply, { ...options, render: signUpPage, attempt: accounts.signUp }),
  );
}

interface Submission extends SignInPagesOptions {
  render(page: FormPage): string;
  attempt(input: NewAccount & AttemptOrigin): Promise<ProvenAccount | PageProblem>;
}

async function submit(request: FastifyRequest, reply: FastifyReply, submission: Submission): Promise<FastifyReply> {
  const { provider, public_url, headers } = submission;
  assertFormOrigin(request, public_url);
  const interaction = await findInteraction(request, reply, provider);
  if (!interaction) return sendExpiredNotice(request, reply, headers);
  const fields = readAccountFields(request.body);
  const result = await submission.attempt({ ...fields, ip: request.ip, device_cookie: readDeviceCookie(request) });
  if (typeof result !== 'string') {
    setDeviceCookie(reply, result.device_cookie);
    // `create` answers a requested sign-up, also if the visitor signed in instead.
    const redirect_url = await provider.interactionResult(request.raw, reply.raw, {
      login: { accountId: result.id, amr: toAmr(result) },
      create: {},
    });
    return reply.header('cache-control', 'no-store').redirect(redirect_url, 303);
  }
  const { email, display_name } = fields;
  const refused_password = PASSWORD_REFUSALS.includes(result) ? fields.password : undefined;
  const page = {
    ...toFormPage(request, interaction, submission),
    problem: result,
    email,
    display_name,
    refused_password,
  };
  if (result === 'too_many_attempts') reply.code(429).header('retry-after', TOO_MANY_RETRY_S);
  else reply.code(422);
  return sendPage(reply, headers, submission.render(page));
}

async function findInteraction(
  request: FastifyRequest,
  reply: FastifyReply,
  provider: Provider,
): Promise<Interaction | undefined> {
  try {
    const interaction = await provider.interactionDetails(request.raw, reply.raw);
    return interaction.uid === (request.params as Params).uid ? interaction : undefined;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

function readAccountFields(body: unknown): NewAccount {
  const read = (name: keyof NewAccount) => readField(body, name);
  return { email: read('email'), display_name: read('display_name'), password: read('password') };
}

function toFormPage(
  request: FastifyRequest,
  { uid, params }: Interaction,
  { sends_mail }: Pick<SignInPagesOptions, 'sends_mail'>,
): FormPage {
  const locale = chooseLocale(params.ui_locales, request.headers['accept-language']);
  const forgot_path = sends_mail ? `${FORGOT_PATH}?ui_locales=${locale}` : null;
  return { locale, base_path: interactionPath(uid), forgot_path };
}

function sendExpiredNotice(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Record<string, string>,
): FastifyReply {
  const locale = chooseLocale(undefined, request.headers['accept-language']);
  return sendPage(reply.code(400), headers, noticePage(locale, 'expired'));
}
