import { ApiError } from './errors.ts';

export type AuthEndpoints = typeof import('@sendlap/contract/auth.ts') &
  Pick<typeof import('@sendlap/contract/wire/errors.ts'), 'isErrorCode'>;

/**
 * Lazy-loads the contract's sign-in endpoints and error codes: the sign-in screen renders without them and without the
 * schema library behind them, a tenth of the first script. Throws ApiError NETWORK_ERROR.
 */
export async function loadAuthEndpoints(): Promise<AuthEndpoints> {
  try {
    const [auth, { isErrorCode }] = await Promise.all([
      import('@sendlap/contract/auth.ts'),
      import('@sendlap/contract/wire/errors.ts'),
    ]);
    return { ...auth, isErrorCode };
  } catch (error) {
    throw new ApiError({ code: 'NETWORK_ERROR', status: 0, cause: error });
  }
}
