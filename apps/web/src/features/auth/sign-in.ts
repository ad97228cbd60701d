import { loadAuthEndpoints } from '#web/shared/api/auth-endpoints.ts';
import { call, session } from '#web/shared/api/client.ts';
import { ApiError, lacksField } from '#web/shared/api/errors.ts';
import { completeUserReply } from '#web/shared/api/user-reply.ts';
import { currentLanguage } from '#web/shared/i18n/i18n.ts';
import { keepVerifier, takeVerifier } from './verifier.ts';

/** A refusal whose exact words the spec gives; the page translates them. */
export class SignInError extends Error {}

/** Asks for the provider's address and leaves for it. Throws ApiError, or SignInError when there is no address. */
export async function leaveForProvider(signup: boolean): Promise<void> {
  const { authorize, CALLBACK_PATH } = await loadAuthEndpoints();
  const query = {
    redirect_uri: location.origin + CALLBACK_PATH,
    use_pkce: 'true',
    ui_locales: currentLanguage(),
    ...(signup ? { signup: 'true' as const } : {}),
  } as const;
  const reply = await call(authorize, { query }).catch((error: unknown) => {
    throw lacksField(error, 'authorization_url')
      ? new SignInError('No authorization URL received from backend')
      : error;
  });
  const address = new URL(reply.authorization_url, location.origin);
  if (!['https:', 'http:'].includes(address.protocol))
    throw new SignInError('No authorization URL received from backend');
  keepVerifier(reply.state, reply.code_verifier, Date.now());
  location.assign(address.href);
}

export interface CallbackQuery {
  code: string | null;
  state: string | null;
  error: string | null;
  error_description: string | null;
  /** RFC 9207; our server wants it back when its provider sent it. */
  iss: string | null;
}

/** What the provider put into the address it sent the browser to. */
export function readCallback(search: string): CallbackQuery {
  const query = new URLSearchParams(search);
  const read = (name: string) => query.get(name) || null;
  return {
    code: read('code'),
    state: read('state'),
    error: read('error'),
    error_description: read('error_description'),
    iss: read('iss'),
  };
}

const running = new Map<string, Promise<void>>();

/**
 * Exchanges the provider's code for a session, once for each code however often it is asked for.
 * Throws ApiError, or SignInError when the reply holds no access token.
 */
export function completeCallback(code: string, { state, iss }: Pick<CallbackQuery, 'state' | 'iss'>): Promise<void> {
  let exchange = running.get(code);
  if (!exchange) {
    exchange = exchangeCode(code, state ?? '', iss);
    running.set(code, exchange);
  }
  return exchange;
}

async function exchangeCode(code: string, state: string, iss: string | null): Promise<void> {
  const code_verifier = takeVerifier(state, Date.now());
  const body = { code, state, ...(code_verifier ? { code_verifier } : {}), ...(iss ? { iss } : {}) };
  try {
    const { completeSignIn } = await loadAuthEndpoints();
    const reply = await call(completeSignIn, { body }, { prepare: completeUserReply });
    await session.signIn(reply.user, reply.tokens);
  } catch (error) {
    if (lacksField(error, 'tokens.access_token')) throw new SignInError('No access token received from OAuth callback');
    if (error instanceof ApiError && error.code === 'UNKNOWN_ERROR')
      throw new SignInError('Failed to complete authentication');
    throw error;
  }
}
