/** What a public id may look like; whether it is free or reserved is the server's to say. */
export const PUBLIC_ID_PATTERN = /^[a-z0-9_.-]{3,30}$/;

/** True for a well-formed public id. Search is exact, so upper case is refused rather than folded. */
export function isPublicId(value: unknown): value is string {
  return typeof value === 'string' && PUBLIC_ID_PATTERN.test(value);
}
