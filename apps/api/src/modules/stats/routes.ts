import { getSkills, getTrend } from '@sendlap/contract/stats.ts';
import type { Route } from '#api/http/route.ts';
import type { StatsService } from './service.ts';

export function mountStats(route: Route, stats: StatsService): void {
  route(getSkills, (_request, { user_id }) => stats.getSkills(user_id));
  route(getTrend, (_request, { user_id }) => stats.getTrend(user_id));
}
