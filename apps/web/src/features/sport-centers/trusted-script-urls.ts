interface TrustedTypesLike {
  defaultPolicy: unknown;
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

/**
 * The page asks for Trusted Types; the map starts its worker by a plain address. This lets our own addresses pass,
 * and no others, unless the app has said so before.
 */
export function trustOwnScriptUrls(): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypesLike };
  if (!trustedTypes || trustedTypes.defaultPolicy) return;
  trustedTypes.createPolicy('default', {
    createScriptURL(url) {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`foreign script: ${url}`);
      return url;
    },
  });
}
