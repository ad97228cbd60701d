import { ApiError } from './errors.ts';

export type AuthEndpoints = typeof import('@sendlap/contract/auth.ts');

/**
 * The sign-in calls of the contract. Fetched when one is made: the sign-in screen shows without them and without the
 * schema library behind them, which is a tenth of the first script. Throws ApiError NETWORK_ERROR.
 */
export async function loadAuthEndpoints(): Promise<AuthEndpoints> {
  try {
    return await import('@sendlap/contract/auth.ts');
  } catch (error) {
    throw new ApiError({ code: 'NETWORK_ERROR', status: 0, cause: error });
  }
}
