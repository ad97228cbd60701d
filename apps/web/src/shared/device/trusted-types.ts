interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): unknown;
}

/**
 * Lets workers be started from our own origin and from nowhere else, and lets no text become HTML or script:
 * the counterpart of the server's `require-trusted-types-for 'script'`.
 */
export function allowOwnScripts(): void {
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  factory?.createPolicy('default', {
    createScriptURL(url) {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`foreign script: ${url}`);
      return url;
    },
  });
}
