import type { IdentityProvider } from '../identity.ts';
import type { ResetPagesOptions } from '../pages/reset-pages.ts';
import { createExternalProvider } from './external-provider.ts';

export interface IdentityProviderOptions extends ResetPagesOptions {
  /** Path of the app that the provider sends the browser back to. */
  callback_path: string;
  external?:
    | { issuer: string; client_id: string; client_secret: string | undefined; signup_url: string | undefined }
    | undefined;
}

/** The operator's issuer where one is configured, else the own provider. */
export async function createIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { external, public_url } = options;
  if (external) return createExternalProvider({ ...external, public_url });
  // oidc-provider writes to the console when it is imported on a Node that is not its LTS. It runs there, as our tests show,
  // and the server's output is its log and nothing else.
  const { warn } = console;
  console.warn = () => {};
  const { createOwnProvider } = await import('./own-provider.ts').finally(() => {
    console.warn = warn;
  });
  return createOwnProvider(options);
}
