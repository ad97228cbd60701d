import { reportUser } from '@sendlap/contract/reports.ts';
import { handleReport, listReports } from '@sendlap/contract/server-management/reports.ts';
import type { Route } from '#api/http/route.ts';
import type { ReportHandling } from './handling.ts';
import type { ReportService } from './service.ts';

export function mountReports(route: Route, reports: ReportService): void {
  route(reportUser, async ({ body }, { user_id }, { reply }) => {
    const { id, is_repeat } = await reports.reportUser(user_id, body);
    if (is_repeat) reply.header('idempotent-replay', 'true');
    return { id };
  });
}

export function mountReportHandling(route: Route, handling: ReportHandling): void {
  route(listReports, ({ query }) => handling.listReports(query));
  route(handleReport, ({ params, body }, { user_id }) => handling.handle(params.id, body, user_id));
}
