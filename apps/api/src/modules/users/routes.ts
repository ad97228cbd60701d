import { deleteBioInfo, getBioInfo, saveBioInfo, updateBioInfo } from '@sendlap/contract/bio-info.ts';
import { changePublicId } from '@sendlap/contract/friends.ts';
import {
  deleteMe,
  endAllSessions,
  endSession,
  getDeletion,
  getSettings,
  listSessions,
  restoreMe,
  updateSettings,
} from '@sendlap/contract/users.ts';
import type { FastifyReply } from 'fastify';
import { readIdempotencyKey } from '#api/http/idempotency-key.ts';
import type { Route } from '#api/http/route.ts';
import { AppError } from '#api/platform/errors.ts';
import { clearRefreshCookies } from '#api/sessions/refresh-cookies.ts';
import type { Sessions } from '#api/sessions/sessions.ts';
import type { BioInfoService } from './bio-info.ts';
import type { DeletionService } from './deletion.ts';
import type { UserService } from './service.ts';
import type { SettingsService } from './settings.ts';

export interface UserServices {
  users: Pick<UserService, 'changePublicId'>;
  bio_info: BioInfoService;
  settings: SettingsService;
  deletion: DeletionService;
  sessions: Sessions;
}

export function mountUsers(route: Route, { users, bio_info, settings, deletion, sessions }: UserServices): void {
  mountBioInfo(route, bio_info);
  mountSessions(route, sessions);

  route(getSettings, (_input, { user_id }) => settings.getSettings(user_id));
  route(updateSettings, ({ body }, { user_id }) => settings.updateSettings(user_id, body));

  route(changePublicId, async ({ body }, { user_id }) => {
    await users.changePublicId(user_id, body.public_id);
    return { public_id: body.public_id };
  });

  route(deleteMe, async (_input, { user_id }, { reply }) => {
    const deletion_result = await deletion.deleteMe(user_id);
    clearRefreshCookies(reply);
    return deletion_result;
  });
  route(getDeletion, (_input, { user_id }) => deletion.getDeletion(user_id));
  route(restoreMe, (_input, session) => deletion.restoreMe(session));
}

function mountBioInfo(route: Route, bio_info: BioInfoService): void {
  route(getBioInfo, (_input, { user_id }) => bio_info.readBioInfo(user_id));
  route(saveBioInfo, async ({ body }, { user_id }, { request, reply }) => {
    const written = await bio_info.saveBioInfo(user_id, body, readIdempotencyKey(request));
    return replyWithBioInfo(reply, written);
  });
  route(updateBioInfo, async ({ body }, { user_id }, { reply }) =>
    replyWithBioInfo(reply, await bio_info.updateBioInfo(user_id, body)),
  );
  route(deleteBioInfo, async (_input, { user_id }) => {
    await bio_info.deleteBioInfo(user_id);
    return {};
  });
}

function mountSessions(route: Route, sessions: Sessions): void {
  route(listSessions, async (_input, { user_id, session_id }) => {
    const live = await sessions.list(user_id);
    const items = live.map((each) => ({
      id: each.id,
      device_name: each.device_name,
      created_at: each.created_at.toISOString(),
      last_used_at: each.last_used_at.toISOString(),
      current: each.id === session_id,
    }));
    return { items, next_cursor: null };
  });

  route(endSession, async ({ params }, { user_id, session_id }, { reply }) => {
    if (!(await sessions.endOwned(user_id, params.id, 'ended_by_user'))) {
      throw new AppError('session_not_found', 'This session is not there, or over');
    }
    if (params.id === session_id) clearRefreshCookies(reply);
    return {};
  });

  route(endAllSessions, async (_input, { user_id }, { reply }) => {
    await sessions.endAll(user_id, 'everywhere');
    clearRefreshCookies(reply);
    return {};
  });
}

function replyWithBioInfo<Data>(
  reply: FastifyReply,
  { bio_info, repeated }: { bio_info: Data; repeated: boolean },
): Data {
  if (repeated) reply.header('idempotent-replay', 'true');
  return bio_info;
}
