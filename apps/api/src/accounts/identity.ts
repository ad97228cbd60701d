import type { FastifyInstance } from 'fastify';
import type { Trx } from '#api/database/database.ts';
import type { LimitRequests } from '#api/http/request-limit.ts';
import type { SignInInput } from './accounts.ts';

/** Issuer key of our own accounts: it stays the same when the server's public address changes. */
export const OWN_ISSUER_KEY = 'sendlap';

/** The provider's claims about a user. */
export interface Identity {
  /** Accounts are keyed on issuer and subject. */
  issuer: string;
  subject: string;
  /** Empty if the provider does not send one. */
  email: string;
  name: string | undefined;
  /** Sent to the provider when the user signs out there; undefined if the provider needs none. */
  id_token?: string;
  /**
   * Called in the transaction that creates the session: throws if the proven password was replaced since. Undefined if
   * another provider keeps the passwords.
   */
  recheck?: (trx: Trx) => Promise<void>;
}

/** Our secrets of one sign-in, kept on the server until the browser returns. */
export interface SignInSecrets {
  redirect_uri: string;
  state: string;
  nonce: string;
  verifier: string;
}

interface SignInOptions {
  /** Start on the sign-up page. */
  signup: boolean;
  /** Ask for the password even if the provider still has a session of the user. */
  force_login: boolean;
  ui_locales?: string | undefined;
}

/** Authenticates users: our own provider, or the issuer that the operator configured. */
export interface IdentityProvider {
  is_own: boolean;
  /** Users can reset a forgotten password by mail. */
  password_reset: boolean;
  /** Mounts our own provider's endpoints and pages; does nothing for an external provider. */
  mount(app: FastifyInstance, limitRequests: LimitRequests): Promise<void>;
  /** Returns the URL to send the browser to. Throws `provider_unavailable`. */
  beginSignIn(sign_in: SignInSecrets, options: SignInOptions): Promise<URL>;
  /** Throws `oauth_failed` or `provider_unavailable`. */
  completeSignIn(sign_in: SignInSecrets, callback: { code: string; iss?: string | undefined }): Promise<Identity>;
  /**
   * For accounts of our own provider only. Returns the browser's new `device_cookie` too. Throws `credentials_wrong` or
   * `too_many_requests`.
   */
  signInWithPassword: ((input: SignInInput) => Promise<Identity & { device_cookie: string }>) | undefined;
  /** Returns whether visitors can create an account there, by a sign-in with `signup`. */
  offersSignUp(): Promise<boolean>;
  /**
   * Returns the URL that ends the provider's own session; null when the provider keeps no session (`is_own`), or
   * nothing can end it. `id_token`: of the sign-in. Throws `oauth_failed` or `provider_unavailable`.
   */
  signOut(id_token: string | undefined): Promise<string | null>;
}
