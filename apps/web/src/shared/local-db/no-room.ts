/** Message of a service worker that has no room to be installed; `is_first`: no older worker is installed either. */
export const NO_ROOM = 'NO_ROOM';

export function isQuotaError(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError';
}
