import { reportUser } from '@sendlap/contract/reports.ts';
import type { Route } from '#api/http/route.ts';
import type { ReportService } from './service.ts';

export function mountReports(route: Route, reports: ReportService): void {
  route(reportUser, async ({ body }, { user_id }, { reply }) => {
    const { id, is_repeat } = await reports.reportUser(user_id, body);
    if (is_repeat) reply.header('idempotent-replay', 'true');
    return { id };
  });
}
