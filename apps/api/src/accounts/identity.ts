import type { FastifyInstance } from 'fastify';
import type { Trx } from '#api/database/database.ts';
import type { SignInInput } from './accounts.ts';

/** Under this name own accounts are found again, also after the public address of the server has changed. */
export const OWN_ISSUER_KEY = 'sendlap';

/** What the provider says about a person. */
export interface Identity {
  /** Who says so. Accounts are keyed on this and the subject. */
  issuer: string;
  subject: string;
  /** Empty when the provider does not tell. */
  email: string;
  name: string | undefined;
  /** What the provider wants to see when this person signs out there; undefined where it wants nothing. */
  id_token?: string;
  /**
   * To be called in the transaction that makes the session: throws when the password that was proven is no longer that
   * of the account. Undefined where another provider keeps the passwords.
   */
  confirm?: (trx: Trx) => Promise<void>;
}

/** Secrets of one sign-in, made by us, kept on the server until the browser is back. */
export interface SignInSecrets {
  redirect_uri: string;
  state: string;
  nonce: string;
  verifier: string;
}

interface SignInWishes {
  /** Begin at the sign-up page. */
  signup: boolean;
  /** Ask for the password, also of somebody whom the provider remembers. */
  fresh: boolean;
  ui_locales?: string | undefined;
}

/** Who says who somebody is: the app's own provider, or the issuer that the operator configured. */
export interface IdentityProvider {
  own: boolean;
  /** A forgotten password is mended by mail. */
  password_reset: boolean;
  /** Puts the own provider's endpoints and pages on the server; nothing for an external one. */
  mount(app: FastifyInstance): Promise<void>;
  /** The address to send the browser to. Throws `provider_unavailable`. */
  beginSignIn(sign_in: SignInSecrets, wishes: SignInWishes): Promise<URL>;
  /** Throws `oauth_failed` or `provider_unavailable`. */
  completeSignIn(sign_in: SignInSecrets, answer: { code: string; iss?: string | undefined }): Promise<Identity>;
  /**
   * For accounts of the own provider only. Throws `credentials_wrong` or `too_many_requests`. Gives the browser's new
   * `device_cookie` too.
   */
  signInWithPassword: ((input: SignInInput) => Promise<Identity & { device_cookie: string }>) | undefined;
  /** Whether people can make an account there, by a sign-in with `signup`. */
  offersSignUp(): Promise<boolean>;
  /**
   * Where the browser must go to end the provider's own session. `id_token`: of the sign-in. Null when the provider keeps
   * none (`own`), or when it lives on because nothing can end it. Throws `oauth_failed` or `provider_unavailable`.
   */
  signOut(id_token: string | undefined): Promise<string | null>;
}
