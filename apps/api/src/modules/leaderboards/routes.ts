import { getLeaderboard } from '@sendlap/contract/leaderboards.ts';
import type { Route } from '#api/platform/route.ts';
import type { LeaderboardService } from './service.ts';

export function mountLeaderboards(route: Route, leaderboards: LeaderboardService): void {
  route(getLeaderboard, ({ query }, caller) => leaderboards.getLeaderboard(caller.user_id, query));
}
