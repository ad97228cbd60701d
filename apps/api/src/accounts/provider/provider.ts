import { interactionPolicy, Provider, type ProviderContext } from 'oidc-provider';
import type { Database } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import type { SigningKey } from '#api/database/signing-keys.ts';
import { chooseLocale } from '#api/http/pages/locale.ts';
import { PAGE_HEADERS } from '#api/http/pages/page-headers.ts';
import type { Accounts } from '../accounts.ts';
import { noticePage } from '../pages/sign-in-views.ts';
import { interactionPath, MOUNT_PATH } from '../paths.ts';
import { CookieSigner } from './cookie-signer.ts';
import { createRecordStore } from './record-store.ts';
import { SCOPE } from './relying-party.ts';

export const CLIENT_ID = 'sendlap';
export const ID_TOKEN_ALG = 'ES256';
const CODE_LIFETIME_S = 60;
const INTERACTION_LIFETIME_S = 1_800;
const UNUSED_RECORD_LIFETIME_S = 120;

interface ProviderOptions {
  database: Database;
  secrets: Secrets;
  accounts: Accounts;
  issuer: string;
  client_secret: string;
  redirect_uris: string[];
  keys: SigningKey[];
}

/** Our own OpenID provider, with this app as its only, confidential client. */
export function createProvider(options: ProviderOptions): Provider {
  const { secrets, accounts, issuer } = options;
  const provider = new Provider(issuer, {
    adapter: createRecordStore(options.database),
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: options.client_secret,
        redirect_uris: options.redirect_uris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: ID_TOKEN_ALG,
      },
    ],
    jwks: { keys: options.keys },
    findAccount: async (_context: ProviderContext, id: string) => {
      const account = await accounts.find(id);
      if (!account) return undefined;
      const claims = { sub: id, email: account.email, name: account.display_name };
      return { accountId: id, claims: () => claims };
    },
    // `amr` contains the stamp of the proven password: see `toAmr`.
    claims: { openid: ['sub', 'amr'], email: ['email'], profile: ['name'] },
    // Only our own server reads the token, so the claims are in it: this saves the userinfo request.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientBasedCORS: () => false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    interactions: {
      policy: createPolicy(),
      url: (_context: ProviderContext, { uid }: { uid: string }) => interactionPath(uid),
    },
    loadExistingGrant: grantToOwnClient,
    cookies: cookieOptions(secrets, issuer),
    ttl: {
      AuthorizationCode: CODE_LIFETIME_S,
      Interaction: INTERACTION_LIFETIME_S,
      AccessToken: UNUSED_RECORD_LIFETIME_S,
      IdToken: UNUSED_RECORD_LIFETIME_S,
      Session: UNUSED_RECORD_LIFETIME_S,
      Grant: UNUSED_RECORD_LIFETIME_S,
    },
    renderError: (context: ProviderContext, { error }: { error: string }) => {
      const locale = chooseLocale(undefined, context.get('accept-language'));
      for (const [name, value] of Object.entries(PAGE_HEADERS)) context.set(name, value);
      context.type = 'html';
      context.body = noticePage(locale, error === 'server_error' ? 'failed' : 'expired');
    },
  });
  provider.use(keepFromOtherSites);
  // The address comes from headers that the mount sets, never from the caller's.
  provider.proxy = true;
  return provider;
}

/** Only this server and the browser's navigation call the endpoints: no page of another site needs their replies. */
async function keepFromOtherSites(context: ProviderContext, next: () => Promise<void>): Promise<void> {
  await next();
  context.remove('access-control-allow-origin');
  if (!context.response.get('cache-control')) context.set('cache-control', 'no-store');
}

/** `prompt=create` opens the sign-up page first (OpenID Connect Prompt Create 1.0). */
function createPolicy() {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'create', requestable: true }), 0);
  return policy;
}

/** No consent screen: it is our own app. */
async function grantToOwnClient({ oidc }: ProviderContext) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope(SCOPE);
  await grant.save();
  return grant;
}

/**
 * A provider session would be a second one beside ours. Its cookie has a path that no page uses, so that browsers never
 * send it: each sign-in asks for the password, and no provider session needs a sign-out. The paths are the sign-in's own,
 * so the prefix cannot be `__Host-`; at http://localhost oidc-provider sets cookies without `Secure`, which no prefix allows.
 */
function cookieOptions(secrets: Secrets, issuer: string) {
  const prefix = issuer.startsWith('https:') ? '__Secure-' : '';
  const shared = { signed: true, httpOnly: true, sameSite: 'lax', overwrite: true };
  return {
    keys: new CookieSigner(secrets.derive('provider cookies')),
    names: {
      session: `${prefix}sendlap_provider_session`,
      interaction: `${prefix}sendlap_provider_interaction`,
      resume: `${prefix}sendlap_provider_resume`,
    },
    long: { ...shared, path: `${MOUNT_PATH}/nowhere` },
    short: shared,
  };
}
