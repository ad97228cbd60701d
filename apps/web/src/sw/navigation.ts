import { CALLBACK_PATH } from '@sendlap/contract/wire/screens.ts';

/** Paths of the server or the provider: answering them with the shell would break sign-in and health checks. */
const SERVER_PATHS = /^\/(v1|oidc|healthz|readyz|docs)(\/|$)/;
const FILE = /\/[^/]+\.[a-z0-9]+$/i;

export function isCallback(url: URL): boolean {
  return url.pathname === CALLBACK_PATH || url.pathname === `${CALLBACK_PATH}/`;
}

/** Whether a navigation is to a screen of the app, so that the cached shell may answer it. */
export function isShellNavigation(url: URL): boolean {
  return !SERVER_PATHS.test(url.pathname) && !FILE.test(url.pathname) && !isCallback(url);
}

/**
 * Answers a navigation: the provider's callback from the network and, only while offline, with the shell; a screen with
 * the shell; any other path from the network.
 */
export async function answerNavigation<Context extends { url: URL; request: Request }>(
  context: Context,
  shell: (context: Context) => Promise<Response>,
): Promise<Response> {
  const { url, request } = context;
  if (!isCallback(url)) return isShellNavigation(url) ? shell(context) : fetch(request);
  try {
    return await fetch(request);
  } catch {
    return shell(context);
  }
}
