import { ApiError } from './errors.ts';

export type AuthEndpoints = typeof import('@sendlap/contract/auth.ts') &
  Pick<typeof import('@sendlap/contract/wire/errors.ts'), 'isErrorCode'> &
  Pick<typeof import('./user-reply.ts'), 'completeUserReply'>;

/**
 * Lazy-loads the contract's sign-in endpoints with what reads their replies: the sign-in screen renders without them and
 * without the schema library behind them, a tenth of the first script. Throws ApiError NETWORK_ERROR.
 */
export function loadAuthEndpoints(): Promise<AuthEndpoints> {
  return loadCode(async () => {
    const [auth, { isErrorCode }, { completeUserReply }] = await Promise.all([
      import('@sendlap/contract/auth.ts'),
      import('@sendlap/contract/wire/errors.ts'),
      import('./user-reply.ts'),
    ]);
    return { ...auth, isErrorCode, completeUserReply };
  });
}

/** Loads code that a request needs: without it, the request fails as without a network. Throws ApiError NETWORK_ERROR. */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    throw new ApiError({ code: 'NETWORK_ERROR', status: 0, cause: error });
  }
}
