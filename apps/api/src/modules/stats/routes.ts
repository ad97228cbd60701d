import { getCenterWeeks } from '@sendlap/contract/center-management/center-weeks.ts';
import { getRecap, getSkills, getTrend } from '@sendlap/contract/stats.ts';
import type { Route } from '#api/http/route.ts';
import type { CenterWeeksService } from './center-weeks.ts';
import type { StatsService } from './service.ts';

export function mountStats(route: Route, stats: StatsService): void {
  route(getSkills, (_request, { user_id }) => stats.getSkills(user_id));
  route(getTrend, (_request, { user_id }) => stats.getTrend(user_id));
  route(getRecap, (_request, { user_id }) => stats.getRecap(user_id));
}

export function mountCenterWeeks(route: Route, center_weeks: CenterWeeksService): void {
  route(getCenterWeeks, ({ params }) => center_weeks.getWeeks(params.id));
}
