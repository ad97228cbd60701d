/** For pages with forms and without scripts. The form's target redirects to the app, so both must be listed. */
export function pageHeaders(form_targets: string[]): Record<string, string> {
  const form_action = ["'self'", ...form_targets].join(' ');
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action ${form_action}; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
}

/** For pages without a form, or whose form does not lead to another origin. */
export const PAGE_HEADERS = pageHeaders([]);
