import { MAX_REPORT_TEXT_LENGTH, REPORTS_A_DAY, type reportUser as reportEndpoint } from '@sendlap/contract/reports.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import { DAY_MS } from '@sendlap/domain/durations.ts';
import { countCodePoints } from '@sendlap/domain/messages.ts';
import { type Database, databaseErrorCode, FOREIGN_KEY_VIOLATION, type Trx } from '#api/database/database.ts';
import type { FriendService } from '#api/modules/friends/service.ts';
import { AppError, userNotFound } from '#api/platform/errors.ts';
import {
  countMessagesBetween,
  findReport,
  findReportTime,
  insertReport,
  lockReporter,
  type SentReport,
} from './store.ts';

type ReportRequest = ParsedRequest<typeof reportEndpoint>['body'];

export type ReportService = ReturnType<typeof createReportService>;

interface ReportOptions {
  database: Database;
  friends: Pick<FriendService, 'canSeeUser'>;
  now: () => Date;
}

export function createReportService({ database, friends, now }: ReportOptions) {
  return {
    /**
     * Stores a report for the operator; the same request again is a repeat (`is_repeat`). Throws `user_not_found`,
     * `report_text_too_long`, `too_many_requests`, `message_not_found` unless all messages are from the two users'
     * chat, and `idempotency_mismatch` if the id belongs to another report.
     */
    async reportUser(
      user_id: string,
      { client_id, user_id: reported_id, reason, text = '', message_ids = [] }: ReportRequest,
    ): Promise<{ id: string; is_repeat: boolean }> {
      const row: SentReport = {
        id: client_id,
        reporter_id: user_id,
        reported_id,
        reason,
        text: normalizeReportText(text),
        message_ids: [...new Set(message_ids)].sort(),
        created_at: now(),
      };
      // Checked first: the reported user or messages may be gone by the time of a repeat.
      const known = await findReport(database, client_id);
      if (known) return toReplay(known, row);
      if (!(await friends.canSeeUser(user_id, reported_id))) throw userNotFound();
      const found = await countMessagesBetween(database, [user_id, reported_id], row.message_ids);
      if (found < row.message_ids.length) {
        throw new AppError('message_not_found', 'One of these messages is not of your chat');
      }
      return saveReport(database, row);
    },
  };
}

/** One report per reporter at a time, so that each is counted before the next. */
async function saveReport(database: Database, row: SentReport): Promise<{ id: string; is_repeat: boolean }> {
  const saved = database.transaction().execute(async (trx) => {
    if (!(await lockReporter(trx, row.reporter_id))) {
      throw new AppError('unauthenticated', 'This account is no longer there');
    }
    const copy = await findReport(trx, row.id);
    if (copy) return toReplay(copy, row);
    await assertReportLimit(trx, row);
    if (await insertReport(trx, row)) return { id: row.id, is_repeat: false };
    return toReplay(await findReport(trx, row.id), row);
  });
  return saved.catch((error: unknown) => {
    // The reported user was erased a moment ago.
    throw databaseErrorCode(error) === FOREIGN_KEY_VIOLATION ? userNotFound(error) : error;
  });
}

/** Counted in the rows: repeats do not count, all nodes agree, and restarts forget nothing. */
async function assertReportLimit(trx: Trx, { reporter_id, created_at }: SentReport): Promise<void> {
  const since = new Date(created_at.getTime() - DAY_MS);
  const oldest = await findReportTime(trx, reporter_id, { since, skip: REPORTS_A_DAY - 1 });
  if (!oldest) return;
  throw new AppError('too_many_requests', `You can send ${REPORTS_A_DAY} reports a day`, {
    retry_after_s: Math.ceil((oldest.getTime() - since.getTime()) / 1000),
  });
}

function normalizeReportText(text: string): string | null {
  const trimmed = text.trim();
  if (countCodePoints(trimmed) > MAX_REPORT_TEXT_LENGTH) {
    throw new AppError('report_text_too_long', `A report can have ${MAX_REPORT_TEXT_LENGTH} characters`);
  }
  return trimmed === '' ? null : trimmed;
}

function toReplay(known: SentReport | undefined, request: SentReport): { id: string; is_repeat: boolean } {
  const essence = (row: SentReport) => [row.reporter_id, row.reported_id, row.reason, row.text, row.message_ids];
  if (known && JSON.stringify(essence(known)) === JSON.stringify(essence(request)))
    return { id: known.id, is_repeat: true };
  throw new AppError('idempotency_mismatch', 'This id was used for another report');
}
