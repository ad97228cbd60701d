/** What a worker that finds no room to be installed tells its pages, with `is_first`: there is none before it either. */
export const NO_ROOM = 'NO_ROOM';

export function isQuotaError(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError';
}
