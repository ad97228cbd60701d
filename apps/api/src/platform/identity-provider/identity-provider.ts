import type { Database } from '../database.ts';
import type { Secrets } from '../secrets.ts';
import type { Sessions } from '../sessions.ts';
import { createExternalProvider } from './external-provider.ts';
import type { IdentityProvider } from './identity.ts';
import type { MailSettings } from './mail/mail.ts';

export interface IdentityProviderOptions {
  database: Database;
  secrets: Secrets;
  /** A new password ends all sessions of its account. */
  sessions: Pick<Sessions, 'endAllWithin' | 'end' | 'findByRefreshToken'>;
  public_url: string;
  /** Path in the app to which the provider redirects the browser. */
  callback_path: string;
  /** How password reset links are sent; undefined: only the operator creates links. */
  mail: MailSettings | undefined;
  external?:
    | { issuer: string; client_id: string; client_secret: string | undefined; signup_url: string | undefined }
    | undefined;
}

/** Creates the operator's external provider if one is configured, else our own provider. */
export async function createIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { external, public_url } = options;
  if (external) return createExternalProvider({ ...external, public_url });
  // oidc-provider prints a warning on import on a Node that is not its LTS. Our tests show that it runs there, and the
  // server's output must be only its log.
  const { warn } = console;
  console.warn = () => {};
  const { createOwnProvider } = await import('./own-provider.ts').finally(() => {
    console.warn = warn;
  });
  return createOwnProvider(options);
}
