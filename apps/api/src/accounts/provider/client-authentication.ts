import * as client from 'openid-client';

/**
 * Returns the ways to send client id and secret to the token endpoint (RFC 6749, 2.3.1), to try in turn until the
 * provider accepts one. The form comes first if the provider offers it: many providers don't decode the
 * percent-encoding that the header requires, so the header is also tried without it.
 */
export function authenticationMethods(
  { client_id, client_secret }: { client_id: string; client_secret: string | undefined },
  { token_endpoint_auth_methods_supported: offered }: client.ServerMetadata,
) {
  if (client_secret === undefined) return [{ name: 'none', authenticate: client.None() }];
  const post = { name: 'client_secret_post', authenticate: client.ClientSecretPost(client_secret) };
  const basic = { name: 'client_secret_basic', authenticate: client.ClientSecretBasic(client_secret) };
  const unencoded = {
    name: 'client_secret_basic, not encoded',
    authenticate: unencodedBasic(client_id, client_secret),
  };
  const is_plain = /^[a-zA-Z0-9]*$/.test(client_id + client_secret);
  const header_methods = is_plain ? [basic] : [basic, unencoded];
  return offered?.includes(post.name) ? [post, ...header_methods] : [...header_methods, post];
}

function unencodedBasic(client_id: string, client_secret: string): client.ClientAuth {
  const credentials = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`);
}

/** Returns whether the provider rejected client id and secret: the code is then still valid. */
export function isClientRefused(error: unknown): boolean {
  if (error instanceof client.WWWAuthenticateChallengeError) return true;
  return error instanceof client.ResponseBodyError && error.error === 'invalid_client';
}
