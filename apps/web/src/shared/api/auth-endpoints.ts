import { ApiError } from './errors.ts';

export type AuthEndpoints = typeof import('@sendlap/contract/auth.ts') &
  Pick<typeof import('@sendlap/contract/errors.ts'), 'isErrorCode'>;

/**
 * The sign-in calls of the contract, and which codes their failures know. Fetched when one is made: the sign-in screen
 * shows without them and without the schema library behind them, which is a tenth of the first script. Throws ApiError
 * NETWORK_ERROR.
 */
export async function loadAuthEndpoints(): Promise<AuthEndpoints> {
  try {
    const [auth, { isErrorCode }] = await Promise.all([
      import('@sendlap/contract/auth.ts'),
      import('@sendlap/contract/errors.ts'),
    ]);
    return { ...auth, isErrorCode };
  } catch (error) {
    throw new ApiError({ code: 'NETWORK_ERROR', status: 0, cause: error });
  }
}
