import type { handleReport, listReports, Report } from '@sendlap/contract/server-management/reports.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import { isUuidV4 } from '@sendlap/domain/ids.ts';
import type { Database, Trx } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import type { AccountLocks } from '#api/modules/users/service.ts';
import { AppError, cursorInvalid } from '#api/platform/errors.ts';
import { closeReport, findReport, readReports } from './store.ts';

export type ReportHandling = ReturnType<typeof createReportHandling>;

interface HandlingOptions {
  database: Database;
  locks: Pick<AccountLocks, 'suspend'>;
  now: () => Date;
}

/** What operators do with reports. */
export function createReportHandling({ database, locks, now }: HandlingOptions) {
  /** Throws `not_found`. */
  async function getReport(id: string): Promise<Report> {
    const [report] = await readReports(database, { id });
    if (!report) throw new AppError('not_found', 'There is no such report');
    return report;
  }

  return {
    /** Throws `cursor_invalid`. */
    async listReports({ status, limit, cursor }: ParsedRequest<typeof listReports>['query']) {
      if (cursor !== undefined && !isUuidV4(cursor)) throw cursorInvalid();
      const reports = await readReports(database, { status, limit: limit + 1, after: cursor });
      const items = reports.slice(0, limit);
      return { items, next_cursor: reports.length > limit ? (items.at(-1)?.id ?? null) : null };
    },
    /**
     * Closes a report, and suspends the reported account if that is the outcome, in one transaction. Throws
     * `not_found`, `conflict` if it has another outcome, `user_not_found` if the reported user was
     * erased, and `user_is_operator`.
     */
    async handle(
      id: string,
      { outcome, reason }: ParsedRequest<typeof handleReport>['body'],
      actor_id: string,
    ): Promise<Report> {
      const row = await findReport(database, id);
      if (!row) throw new AppError('not_found', 'There is no such report');
      if (row.outcome === outcome) return getReport(id);
      const close = async (trx: Trx) => {
        const handled = { outcome, outcome_reason: reason, handled_by: actor_id, handled_at: now() };
        if (!(await closeReport(trx, id, handled)))
          throw new AppError('conflict', 'Another operator has handled this report');
        const act = outcome === 'dismissed' ? 'report_dismissed' : 'report_upheld';
        await recordAudit(trx, { act, actor_id, details: { report_id: id } });
      };
      if (outcome === 'dismissed') await database.transaction().execute(close);
      else if (row.reported_id === DELETED_USER_ID) throw new AppError('user_not_found', 'This account is erased');
      else await locks.suspend(row.reported_id, { actor_id, reason }, close);
      return getReport(id);
    },
  };
}
