import { getLeaderboard, getSurrounding } from '@sendlap/contract/leaderboards.ts';
import { toRawJson } from '#api/http/raw-json.ts';
import type { Route } from '#api/http/route.ts';
import type { LeaderboardService } from './service.ts';

export function mountLeaderboards(route: Route, leaderboards: LeaderboardService): void {
  route(getLeaderboard, async ({ query }, caller) =>
    toRawJson(await leaderboards.getLeaderboard(caller.user_id, query)),
  );
  route(getSurrounding, async ({ query }, caller) =>
    toRawJson(await leaderboards.getSurrounding(caller.user_id, query)),
  );
}
