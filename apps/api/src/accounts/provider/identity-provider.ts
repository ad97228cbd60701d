import type { IdentityProvider } from '../identity.ts';
import type { ResetPagesOptions } from '../pages/reset-pages.ts';
import { createExternalProvider } from './external-provider.ts';

export interface IdentityProviderOptions extends ResetPagesOptions {
  /** Path in the app to which the provider redirects the browser. */
  callback_path: string;
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
