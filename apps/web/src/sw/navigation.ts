import { CALLBACK_PATH } from '@sendlap/contract/screens.ts';

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
