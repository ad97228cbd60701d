import * as z from 'zod/mini';
import { User } from './users.ts';
import { endpoint } from './wire/endpoint.ts';

export const Tokens = z.object({ access_token: z.string(), expires_in: z.number() });
export type Tokens = z.infer<typeof Tokens>;

/** The provider's name on the wire, whichever issuer is configured. */
export const PROVIDER = 'cognito';

const Flag = z.enum(['true', 'false']);
const ShortText = z.string().check(z.minLength(1), z.maxLength(2048));

export const getAuthConfig = endpoint({
  method: 'GET',
  path: '/v1/auth/config',
  summary: 'Which ways in exist',
  access: 'anyone',
  /**
   * `password_login`: POST /v1/auth/login works. `password_reset`: users can reset a forgotten password by mail.
   * `sign_up`: a sign-in with signup=true leads to a page for new accounts; absent means true.
   */
  data: z.object({
    provider: z.string(),
    own_provider: z.boolean(),
    password_login: z.boolean(),
    password_reset: z.boolean(),
    sign_up: z.optional(z.boolean()),
  }),
});

export const authorize = endpoint({
  method: 'GET',
  path: `/v1/auth/oauth/authorize/${PROVIDER}`,
  summary: 'Begin a sign-in: the address to send the browser to',
  access: 'anyone',
  query: z.strictObject({
    redirect_uri: ShortText,
    use_pkce: z.optional(Flag),
    signup: z.optional(Flag),
    ui_locales: z.optional(z.enum(['en', 'es'])),
  }),
  data: z.object({ authorization_url: z.string(), code_verifier: z.string(), state: z.string() }),
  limit: { max: 60, window_s: 60 },
  errors: ['redirect_uri_not_allowed', 'oauth_failed', 'provider_unavailable'],
});

export const completeSignIn = endpoint({
  method: 'POST',
  path: `/v1/auth/oauth/callback/${PROVIDER}`,
  summary: 'Exchange the code of the provider for a session',
  access: 'anyone',
  takes_dpop_proof: true,
  body: z.strictObject({
    code: ShortText,
    state: ShortText,
    code_verifier: z.optional(ShortText),
    iss: z.optional(ShortText),
  }),
  data: z.object({ user: User, tokens: Tokens }),
  limit: { max: 60, window_s: 60 },
  errors: ['oauth_state_invalid', 'oauth_failed', 'provider_unavailable', 'too_many_requests'],
});

export const login = endpoint({
  method: 'POST',
  path: '/v1/auth/login',
  summary: 'Sign in with e-mail and password, for accounts of the own provider',
  access: 'anyone',
  takes_dpop_proof: true,
  // Checks only lengths: a wrong e-mail and a wrong password are answered alike and in the same time.
  body: z.strictObject({
    email: z.string().check(z.minLength(1), z.maxLength(1024)),
    password: z.string().check(z.minLength(1), z.maxLength(1024)),
  }),
  data: z.object({ user: User, tokens: Tokens }),
  // Also the right password costs a hash.
  limit: { max: 120, window_s: 60 },
  errors: ['origin_not_allowed', 'credentials_wrong', 'password_login_unavailable', 'too_many_requests'],
});

export const getMe = endpoint({
  method: 'GET',
  path: '/v1/auth/me',
  summary: 'The signed-in user',
  access: 'user',
  while_locked: true,
  data: z.object({ user: User }),
});

export const refresh = endpoint({
  method: 'POST',
  path: '/v1/auth/refresh',
  summary: 'A new access token for the refresh cookie',
  access: 'cookie',
  takes_dpop_proof: true,
  data: Tokens,
  limit: { max: 120, window_s: 60 },
  errors: ['refresh_invalid'],
});

export const logout = endpoint({
  method: 'POST',
  path: '/v1/auth/logout',
  summary: 'End this session; logout_url ends that of an external provider',
  access: 'cookie',
  /** `provider_session_open`: the provider still has a session in this browser, and this app cannot end it. */
  data: z.object({ logout_url: z.nullable(z.string()), provider_session_open: z.optional(z.boolean()) }),
});
