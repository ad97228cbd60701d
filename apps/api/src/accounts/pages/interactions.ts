import { FORGOT_PATH } from '@sendlap/contract/wire/screens.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, type Interaction, type Provider } from 'oidc-provider';
import { chooseLocale } from '#api/http/pages/locale.ts';
import type { ProvenAccount } from '../accounts.ts';
import { setDeviceCookie } from '../known-devices.ts';
import { interactionPath } from '../paths.ts';
import { toAmr } from '../proven-password.ts';
import { sendPage } from './forms.ts';
import { type FormPage, noticePage } from './sign-in-views.ts';

export interface InteractionOptions {
  provider: Provider;
  public_url: string;
  headers: Record<string, string>;
  /** The server mails links for new accounts and forgotten passwords. */
  sends_mail: boolean;
}

export type Params = { uid: string };
export const INTERACTION_ROUTE = interactionPath(':uid');

/** Returns the sign-in under way in this browser; undefined if it is over or belongs to another browser. */
export async function findInteraction(
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

/** Sends the browser back to the app, signed in. */
export async function finishSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, account }: { provider: Provider; account: ProvenAccount },
): Promise<FastifyReply> {
  setDeviceCookie(reply, account.device_cookie);
  // `create` answers a requested sign-up, also if the visitor signed in instead.
  const redirect_url = await provider.interactionResult(request.raw, reply.raw, {
    login: { accountId: account.id, amr: toAmr(account) },
    create: {},
  });
  return reply.header('cache-control', 'no-store').redirect(redirect_url, 303);
}

export function toFormPage(
  request: FastifyRequest,
  { uid, params }: Interaction,
  { sends_mail }: Pick<InteractionOptions, 'sends_mail'>,
): FormPage {
  const locale = chooseLocale(params.ui_locales, request.headers['accept-language']);
  const forgot_path = sends_mail ? `${FORGOT_PATH}?ui_locales=${locale}` : null;
  return { locale, base_path: interactionPath(uid), forgot_path };
}

export function sendExpiredNotice(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Record<string, string>,
): FastifyReply {
  const locale = chooseLocale(undefined, request.headers['accept-language']);
  return sendPage(reply.code(400), headers, noticePage(locale, 'expired'));
}
