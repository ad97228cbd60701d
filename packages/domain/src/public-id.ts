/** Format of a public id; only the server knows whether it is free or reserved. */
export const PUBLIC_ID_PATTERN = /^[a-z0-9_.-]{3,30}$/;

/** Returns true for a well-formed public id. Search is exact, so upper case is refused, not folded. */
export function isPublicId(value: unknown): value is string {
  return typeof value === 'string' && PUBLIC_ID_PATTERN.test(value);
}
