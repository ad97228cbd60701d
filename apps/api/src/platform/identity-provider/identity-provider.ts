import type { Database } from '../database.ts';
import type { Secrets } from '../secrets.ts';
import { createExternalProvider } from './external-provider.ts';
import type { IdentityProvider } from './identity.ts';
import { createOwnProvider } from './own-provider.ts';

interface IdentityProviderOptions {
  database: Database;
  secrets: Secrets;
  public_url: string;
  /** Path of the app that the provider sends the browser back to. */
  callback_path: string;
  external?: { issuer: string; client_id: string; client_secret: string | undefined } | undefined;
}

/** The operator's issuer where one is configured, else the own provider. */
export async function createIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { external, public_url } = options;
  return external ? createExternalProvider({ ...external, public_url }) : createOwnProvider(options);
}
