import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Tokens } from '@sendlap/contract/auth.ts';
import { authorize } from '@sendlap/contract/auth.ts';
import type { User } from '@sendlap/contract/users.ts';
import { CALLBACK_PATH } from '@sendlap/contract/wire/screens.ts';
import type { Identity, IdentityProvider } from '#api/accounts/identity.ts';
import type { Database } from '#api/database/database.ts';
import { allowedOrigins } from '#api/http/allowed-origins.ts';
import type { UserService } from '#api/modules/users/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { createProofReader, type ReadProof, type SessionProof } from '#api/sessions/session-proof.ts';
import type { Sessions } from '#api/sessions/sessions.ts';
import { createSignInAttemptStore, type SignInAttempt } from './store.ts';

/** Spec section 9: lifetime of the temporary verifier. */
export const SIGN_IN_LIFETIME_S = 600;
const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

export interface AuthService {
  getSignInMethods(): Promise<{
    own_provider: boolean;
    password_login: boolean;
    password_reset: boolean;
    sign_up: boolean;
  }>;
  /** `browser`: value of the sign-in cookie, new if there was no usable one; the reply must set it. */
  authorize(
    input: AuthorizeInput,
  ): Promise<{ authorization_url: string; code_verifier: string; state: string; browser: string }>;
  completeSignIn(input: CompleteInput): Promise<SignedIn>;
  /** Throws `credentials_wrong`, `too_many_requests`, or `password_login_unavailable` beside an external provider. */
  login(input: LoginInput): Promise<SignedIn & { device_cookie: string }>;
  /**
   * Throws `origin_not_allowed` if the browser says that a page of another site makes the call. A caller without these
   * headers is no browser, and passes.
   */
  assertOwnOrigin(from: { origin: string | undefined; site: string | string[] | undefined }): void;
  readProof: ReadProof;
  /** Throws `unauthenticated` if the account no longer exists. Returns a promise only if it has to wait. */
  getMe(user_id: string): User | Promise<User>;
  /** Throws the same errors as `Sessions.refresh`. */
  refresh(
    refresh_token: string | undefined,
    proof: SessionProof | undefined,
  ): Promise<{ tokens: Tokens; refresh_token: string }>;
  /**
   * Ends the session of this browser, if any. `logout_url`: where the browser must go next. `provider_session_open`:
   * the provider was not asked to end its own session, because it is down or does not support that.
   */
  logout(refresh_token: string | undefined): Promise<{ logout_url: string | null; provider_session_open?: boolean }>;
}

export interface SignedIn {
  user: User;
  tokens: Tokens;
  refresh_token: string;
}

interface AuthorizeInput {
  redirect_uri: string;
  signup: boolean;
  /** The provider asks for the password, even if it remembers the user. */
  must_reauthenticate: boolean;
  ui_locales: string | undefined;
  browser: string | undefined;
}

interface BrowserInput {
  device_name: string;
  /** Token of the browser's previous session. */
  old_refresh_token: string | undefined;
  /** Proof of the key that the new session is bound to. */
  proof: SessionProof | undefined;
}

interface CompleteInput extends BrowserInput {
  code: string;
  state: string;
  code_verifier: string | undefined;
  iss: string | undefined;
  browser: string | undefined;
}

interface LoginInput extends BrowserInput {
  email: string;
  password: string;
  ip: string;
  device_cookie: string | undefined;
}

interface AuthServiceOptions {
  database: Database;
  identity: IdentityProvider;
  sessions: Sessions;
  users: UserService;
  public_url: string;
  now?: () => number;
}

export function createAuthService(options: AuthServiceOptions): AuthService {
  const { identity, sessions, now = Date.now } = options;
  const attempts = createSignInAttemptStore(options.database);
  const origins = allowedOrigins(options.public_url);
  const redirect_uris = new Set(origins.map((origin) => origin + CALLBACK_PATH));
  const startSession = createSessionStarter(options);

  return {
    getSignInMethods: async () => ({
      own_provider: identity.is_own,
      password_login: identity.signInWithPassword !== undefined,
      password_reset: identity.password_reset,
      sign_up: await identity.offersSignUp(),
    }),

    async authorize({ redirect_uri, signup, must_reauthenticate, ui_locales, browser: known_browser }) {
      if (!redirect_uris.has(redirect_uri)) {
        throw new AppError('redirect_uri_not_allowed', 'The sign-in may not return to this address');
      }
      const sign_in = { redirect_uri, state: randomSecret(), nonce: randomSecret(), verifier: randomSecret() };
      const code_verifier = randomSecret();
      const browser = known_browser && SECRET.test(known_browser) ? known_browser : randomSecret();
      const url = await identity.beginSignIn(sign_in, { signup, force_login: must_reauthenticate, ui_locales });
      await attempts.insert({
        state_hash: sha256(sign_in.state),
        cookie_hash: sha256(browser),
        browser_verifier_hash: sha256(code_verifier),
        provider_verifier: sign_in.verifier,
        nonce: sign_in.nonce,
        redirect_uri,
        expires_at: new Date(now() + SIGN_IN_LIFETIME_S * 1000),
      });
      return { authorization_url: url.href, code_verifier, state: sign_in.state, browser };
    },

    async completeSignIn({ code, state, code_verifier, iss, browser, ...rest }) {
      const attempt = await attempts.take(sha256(state));
      if (!attempt || !isValidReturn(attempt, { browser, code_verifier, now_ms: now() })) {
        throw new AppError(
          'oauth_state_invalid',
          'This sign-in has expired or was begun elsewhere, please sign in again',
        );
      }
      const { redirect_uri, nonce, provider_verifier: verifier } = attempt;
      return startSession(await identity.completeSignIn({ redirect_uri, state, nonce, verifier }, { code, iss }), rest);
    },

    async login({ email, password, ip, device_cookie, ...rest }) {
      if (!identity.signInWithPassword) {
        throw new AppError(
          'password_login_unavailable',
          `Passwords of this server are kept by another provider: begin the sign-in with ${authorize.method} ${authorize.path}`,
        );
      }
      const person = await identity.signInWithPassword({ email, password, ip, device_cookie });
      return { ...(await startSession(person, rest)), device_cookie: person.device_cookie };
    },

    assertOwnOrigin({ origin, site }) {
      if ((origin !== undefined && !origins.includes(origin)) || site === 'cross-site') {
        throw new AppError('origin_not_allowed', 'This call is for pages of this app only');
      }
    },

    getMe: (user_id) => options.users.findCached(user_id) ?? findMe(options.users, user_id),

    readProof: createProofReader({ origins, now }),

    async refresh(presented, proof) {
      if (!presented && !proof) throw new AppError('refresh_invalid', 'Please sign in');
      const { access_token, expires_in, refresh_token } = await sessions.refresh(presented, proof);
      return { tokens: { access_token, expires_in }, refresh_token };
    },

    logout: (refresh_token) => endSession(options, refresh_token),
  };
}

async function findMe(users: Pick<UserService, 'find'>, user_id: string): Promise<User> {
  const user = await users.find(user_id);
  if (!user) throw new AppError('unauthenticated', 'This account is no longer there');
  return user;
}

/** Whether the sign-in returns in time and to the browser that began it. */
function isValidReturn(
  attempt: SignInAttempt,
  { browser, code_verifier, now_ms }: Pick<CompleteInput, 'browser' | 'code_verifier'> & { now_ms: number },
): boolean {
  return (
    attempt.expires_at.getTime() > now_ms &&
    browser !== undefined &&
    timingSafeEqual(attempt.cookie_hash, sha256(browser)) &&
    (code_verifier === undefined || timingSafeEqual(attempt.browser_verifier_hash, sha256(code_verifier)))
  );
}

async function endSession({ identity, sessions }: AuthServiceOptions, refresh_token: string | undefined) {
  const session = refresh_token ? await sessions.findByRefreshToken(refresh_token) : undefined;
  const id_token = session && (await sessions.findIdToken(session.session_id));
  if (session) await sessions.end(session.session_id, 'logout');
  // The session is over; a provider outage must not make that look like a failure.
  const logout_url = await identity.signOut(id_token).catch(() => null);
  return { logout_url, ...(!identity.is_own && logout_url === null ? { provider_session_open: true } : {}) };
}

/**
 * The common end of every sign-in: finds or creates the account, starts a session and ends the browser's previous one.
 */
function createSessionStarter({ identity, users, sessions }: AuthServiceOptions) {
  return async (person: Identity, browser: BrowserInput): Promise<SignedIn> => {
    const { device_name, old_refresh_token, proof } = browser;
    const { recheck, id_token } = person;
    // Only our own provider asks for the name shown on boards.
    const display_name = identity.is_own ? (person.name ?? null) : null;
    const user = await users.findOrCreate({ ...person, display_name });
    const tokens = await sessions.create(user.id, device_name, { recheck, proof, id_token });
    const { access_token, expires_in, refresh_token } = tokens;
    await endOldSession(sessions, old_refresh_token);
    return { user, tokens: { access_token, expires_in }, refresh_token };
  };
}

/** The browser's cookie is about to be replaced, so the old session has no holder left. */
async function endOldSession(sessions: Sessions, refresh_token: string | undefined): Promise<void> {
  const old = refresh_token ? await sessions.findByRefreshToken(refresh_token) : undefined;
  if (old) await sessions.end(old.session_id, 'replaced');
}

function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
