import { getDashboard } from '@sendlap/contract/dashboard.ts';
import type { Route } from '#api/http/route.ts';
import type { DashboardService } from './service.ts';

export function mountDashboard(route: Route, dashboard: DashboardService): void {
  route(getDashboard, (_request, { user_id }) => dashboard.getDashboard(user_id));
}
