import type { FastifyInstance } from 'fastify';

/** What the provider says about a person. */
export interface Identity {
  subject: string;
  /** Empty when the provider does not tell. */
  email: string;
  name: string | undefined;
}

/** Secrets of one sign-in, made by us, kept on the server until the browser is back. */
export interface SignInSecrets {
  redirect_uri: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** Who says who somebody is: the app's own provider, or the issuer that the operator configured. */
export interface IdentityProvider {
  own: boolean;
  /** Accounts are keyed on this and the subject. */
  issuer_key: string;
  /** Puts the own provider's endpoints and pages on the server; nothing for an external one. */
  mount(app: FastifyInstance): Promise<void>;
  /** The address to send the browser to. Throws `provider_unavailable`. */
  beginSignIn(sign_in: SignInSecrets, wishes: { signup: boolean; ui_locales?: string | undefined }): Promise<URL>;
  /** Throws `oauth_failed` or `provider_unavailable`. */
  completeSignIn(sign_in: SignInSecrets, answer: { code: string; iss?: string | undefined }): Promise<Identity>;
  /** Where the browser must go to end the provider's own session; null when it need not go anywhere. */
  logoutUrl(): Promise<string | null>;
}
