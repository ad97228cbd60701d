import { listAudit } from '@sendlap/contract/server-management/audit.ts';
import type { Database } from '#api/database/database.ts';
import type { Route } from '#api/http/route.ts';
import { readAuditPage } from './service.ts';

export function mountAudit(route: Route, database: Database): void {
  route(listAudit, ({ query }) => readAuditPage(database, query));
}
