import { authorize } from '@sendlap/contract/auth.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LimitRequests } from '#api/http/request-limit.ts';
import {
  type Accounts,
  type AttemptOrigin,
  type NewAccount,
  type ProvenAccount,
  RATE_LIMIT_RETRY_AFTER_S,
} from '../accounts.ts';
import { readDeviceCookie } from '../known-devices.ts';
import { assertFormOrigin, HIDDEN_FROM_OPENAPI, readField, sendPage } from './forms.ts';
import {
  findInteraction,
  finishSignIn,
  INTERACTION_ROUTE,
  type InteractionOptions,
  type Params,
  sendExpiredNotice,
  toFormPage,
} from './interactions.ts';
import { type FormPage, mailedSignUpPage, signInPage, signUpPage } from './sign-in-views.ts';
import type { PageProblem } from './texts.ts';

interface SignInPagesOptions extends InteractionOptions {
  accounts: Accounts;
  limitRequests: LimitRequests;
}

/** For an IP address: each right password costs a hash. Twice the sign-ins that may begin, as people mistype. */
const SIGN_IN_POST_LIMIT = { ...authorize.limit, max: 2 * authorize.limit.max };

const PASSWORD_REFUSALS: readonly PageProblem[] = ['password_short', 'password_long', 'password_common'];

/**
 * The two forms. They only work in the browser that began the sign-in: the provider's signed cookie (SameSite=Lax) must
 * name the interaction in the URL, and posts must come from our own origin.
 */
export function mountSignInPages(app: FastifyInstance, options: SignInPagesOptions): void {
  const { accounts, headers, sends_mail } = options;
  const showSignUp = sends_mail ? mailedSignUpPage : signUpPage;

  const showForm = async (request: FastifyRequest, reply: FastifyReply, form?: 'sign-in' | 'sign-up') => {
    const interaction = await findInteraction(request, reply, options.provider);
    if (!interaction) return sendExpiredNotice(request, reply, headers);
    const chosen = form ?? (interaction.prompt.name === 'create' ? 'sign-up' : 'sign-in');
    const page = toFormPage(request, interaction, options);
    return sendPage(reply, headers, chosen === 'sign-up' ? showSignUp(page) : signInPage(page));
  };

  app.get<{ Params: Params }>(INTERACTION_ROUTE, HIDDEN_FROM_OPENAPI, (request, reply) => showForm(request, reply));
  app.get<{ Params: Params }>(`${INTERACTION_ROUTE}/sign-in`, HIDDEN_FROM_OPENAPI, (request, reply) =>
    showForm(request, reply, 'sign-in'),
  );
  app.get<{ Params: Params }>(`${INTERACTION_ROUTE}/sign-up`, HIDDEN_FROM_OPENAPI, (request, reply) =>
    showForm(request, reply, 'sign-up'),
  );

  const limited = { ...HIDDEN_FROM_OPENAPI, onRequest: options.limitRequests('posted sign-ins', SIGN_IN_POST_LIMIT) };
  app.post<{ Params: Params }>(`${INTERACTION_ROUTE}/sign-in`, limited, (request, reply) =>
    submit(request, reply, { ...options, render: signInPage, attempt: accounts.signIn }),
  );
  // With mail, `mountMailedSignUp` takes the form.
  if (sends_mail) return;
  app.post<{ Params: Params }>(`${INTERACTION_ROUTE}/sign-up`, HIDDEN_FROM_OPENAPI, (request, reply) =>
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
  if (typeof result !== 'string') return finishSignIn(request, reply, { provider, account: result });
  const { email, display_name } = fields;
  const refused_password = PASSWORD_REFUSALS.includes(result) ? fields.password : undefined;
  const page = {
    ...toFormPage(request, interaction, submission),
    problem: result,
    email,
    display_name,
    refused_password,
  };
  if (result === 'too_many_attempts') reply.code(429).header('retry-after', RATE_LIMIT_RETRY_AFTER_S);
  else reply.code(422);
  return sendPage(reply, headers, submission.render(page));
}

function readAccountFields(body: unknown): NewAccount {
  const read = (name: keyof NewAccount) => readField(body, name);
  return { email: read('email'), display_name: read('display_name'), password: read('password') };
}
