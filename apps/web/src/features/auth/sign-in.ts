import { CALLBACK_PATH } from '@sendlap/contract/wire/screens.ts';
import { loadAuthEndpoints } from '#web/shared/api/auth-endpoints.ts';
import { call, session } from '#web/shared/api/client.ts';
import { ApiError, lacksField } from '#web/shared/api/errors.ts';
import { completeUserReply } from '#web/shared/api/user-reply.ts';
import { currentLanguage } from '#web/shared/i18n/i18n.ts';
import { shareReturnPath } from '#web/shared/navigation/return-path.ts';
import type { CallbackQuery } from './callback.ts';
import { SignInError } from './describe-problem.ts';
import { storeVerifier, takeVerifier } from './verifier.ts';

const NO_AUTHORIZATION_URL = 'No authorization URL received from backend';

/** Requests the provider's URL and navigates to it. Throws ApiError, or SignInError if the reply has no URL. */
export async function redirectToProvider(signup: boolean): Promise<void> {
  // If a sign-out did not reach the server, the provider would sign the same user in again without asking.
  await session.finishLogout();
  const { authorize } = await loadAuthEndpoints();
  const query = {
    redirect_uri: location.origin + CALLBACK_PATH,
    use_pkce: 'true',
    ui_locales: currentLanguage(),
    ...(signup ? { signup: 'true' as const } : {}),
  } as const;
  const reply = await call(authorize, { query }).catch((error: unknown) => {
    throw lacksField(error, 'authorization_url') ? new SignInError(NO_AUTHORIZATION_URL) : error;
  });
  const url = parseAuthorizationUrl(reply.authorization_url);
  storeVerifier(reply.state, reply.code_verifier, Date.now());
  shareReturnPath(Date.now());
  location.assign(url);
}

/** Returns the URL to navigate to; rejects other schemes, which could run script in our page. */
function parseAuthorizationUrl(text: string): string {
  if (text === '' || !URL.canParse(text, location.origin)) throw new SignInError(NO_AUTHORIZATION_URL);
  const { protocol, href } = new URL(text, location.origin);
  if (!['https:', 'http:'].includes(protocol)) throw new SignInError(NO_AUTHORIZATION_URL);
  return href;
}

const exchanges_by_code = new Map<string, Promise<void>>();

/**
 * Exchanges the provider's code for a session; concurrent and repeated calls with the same code share one exchange.
 * Throws ApiError, or SignInError if the reply holds no access token.
 */
export function completeCallback(code: string, { state, iss }: Pick<CallbackQuery, 'state' | 'iss'>): Promise<void> {
  const exchange = exchanges_by_code.get(code) ?? exchangeCode(code, state ?? '', iss);
  exchanges_by_code.set(code, exchange);
  return exchange;
}

async function exchangeCode(code: string, state: string, iss: string | null): Promise<void> {
  const code_verifier = takeVerifier(state, Date.now());
  const body = { code, state, ...(code_verifier ? { code_verifier } : {}), ...(iss ? { iss } : {}) };
  try {
    const { completeSignIn } = await loadAuthEndpoints();
    await session.signInWith(() => call(completeSignIn, { body }, { normalizeReply: completeUserReply }));
  } catch (error) {
    if (lacksField(error, 'tokens.access_token')) throw new SignInError('No access token received from OAuth callback');
    throw toUserFacingError(error);
  }
}

/**
 * Signs in with e-mail and password, where the server offers it. Throws ApiError with the server's own message (a wrong
 * password, too many attempts), or SignInError if the reply lacks the token or the user.
 */
export async function signInWithPassword(credentials: { email: string; password: string }): Promise<void> {
  try {
    const { login } = await loadAuthEndpoints();
    await session.signInWith(() => call(login, { body: credentials }, { normalizeReply: completeUserReply }));
  } catch (error) {
    if (lacksField(error, 'tokens.access_token')) throw new SignInError('No access token received from login');
    if (lacksField(error, 'user')) throw new SignInError('No user data received from login');
    throw toUserFacingError(error);
  }
}

function toUserFacingError(error: unknown): unknown {
  const has_known_code = error instanceof ApiError && error.code !== 'UNKNOWN_ERROR';
  return has_known_code ? error : new SignInError('Failed to complete authentication', { cause: error });
}
