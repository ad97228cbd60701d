import { getMe, login, logout, refresh } from '@sendlap/contract/auth.ts';
import { isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { createAccessToken } from '#web/shared/api/access-token.ts';
import { type CallDeps, createCall } from '#web/shared/api/call.ts';
import { createRefresh } from '#web/shared/api/refresh.ts';
import { createSession, type SessionDeps } from '#web/shared/api/session.ts';
import type { TokenOwner } from '#web/shared/api/token-owner.ts';
import { completeUserReply } from '#web/shared/api/user-reply.ts';

interface ConnectionDeps
  extends Omit<SessionDeps, 'endpoints' | 'call' | 'token' | 'refreshOnce'>,
    Pick<CallDeps, 'isOnline'>,
    Partial<Pick<CallDeps, 'onReached'>> {}

/** The session of one page life and its calls, wired as `shared/api/client.ts` wires them. */
export function connectSession({ isOnline, onReached = () => {}, ...deps }: ConnectionDeps) {
  const { request } = deps;
  const token = createAccessToken(deps.monotonicNow);
  const endpoints = async () => ({ getMe, login, logout, refresh, isErrorCode, completeUserReply });
  const owner: TokenOwner = {
    isForeign: (access_token) => session.isForeign(access_token),
    requestReload: () => session.requestReload(),
  };
  const canRefresh = () => session.canRefresh();
  const refreshOnce = createRefresh({ ...deps, endpoints, token, owner, canRefresh });
  const call = createCall({
    request,
    token,
    refreshOnce,
    onSignedOut: (error) => session.expire(error),
    owner,
    onLocked: () => {},
    onWritten: () => {},
    isOnline,
    onReached,
  });
  const session = createSession({ ...deps, endpoints, call, token, refreshOnce });
  return { session, call };
}
