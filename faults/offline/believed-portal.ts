/** The change of the control arm: the app takes every refusal for one of its server. */
export const BELIEVED_PORTAL = {
  file: 'apps/web/src/shared/api/request.ts',
  find: "const is_from_our_server = is_enveloped && (base !== '' || headers.has(SERVER_TIME));",
  replace: 'const is_from_our_server = true;',
};
