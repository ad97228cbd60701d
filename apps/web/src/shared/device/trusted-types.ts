interface TrustedTypesFactory {
  createPolicy(name: string, rules: Record<'createHTML' | 'createScriptURL', (text: string) => string>): unknown;
}

/**
 * Allows workers only from our own origin, and lets no text become markup or script: the counterpart of the server's
 * `require-trusted-types-for 'script'`. A library that sets plain text as HTML is allowed.
 */
export function installTrustedTypesPolicy(): void {
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  factory?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('markup from text');
      return text;
    },
    createScriptURL(url) {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`foreign script: ${url}`);
      return url;
    },
  });
}
