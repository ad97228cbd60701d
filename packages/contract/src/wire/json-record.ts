/** Returns whether the value is a plain object, which JSON yields only for `{…}`. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
