import type { Authenticator } from '#api/http/route.ts';

const refuse = () => Promise.reject(new Error('never asked'));

/** For a server whose calls are all open: a call that asks who the caller is fails. */
export const REFUSING_AUTHENTICATOR: Authenticator = {
  authenticate: refuse,
  authenticateOperator: refuse,
  authenticateManager: refuse,
  authenticateKiosk: refuse,
  checkOrigin: () => undefined,
  findCookieSession: refuse,
};
