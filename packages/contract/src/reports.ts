import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { Uuid } from './wire/schemas.ts';

export const ReportReason = z.enum(['harassment', 'spam', 'impersonation', 'cheating', 'other']);
export type ReportReason = z.infer<typeof ReportReason>;

/** Maximum length of a reporter's text, in code points. */
export const MAX_REPORT_TEXT_LENGTH = 1_000;
export const MAX_REPORTED_MESSAGES = 20;
/** A repeated report does not count. */
export const REPORTS_A_DAY = 10;

export const reportUser = endpoint({
  method: 'POST',
  path: '/v1/reports',
  summary:
    'Report a user to the operator, with messages of our chat if wanted; the same client_id again is the same report; 10 a day',
  access: 'user',
  body: z.strictObject({
    client_id: Uuid,
    user_id: Uuid,
    reason: ReportReason,
    // UTF-16 units here; the server counts code points.
    text: z.optional(z.string().check(z.maxLength(2 * MAX_REPORT_TEXT_LENGTH))),
    message_ids: z.optional(z.array(Uuid).check(z.maxLength(MAX_REPORTED_MESSAGES))),
  }),
  data: z.object({ id: Uuid }),
  status: 201,
  limit: { max: 60, window_s: 3600 },
  errors: ['user_not_found', 'message_not_found', 'report_text_too_long', 'idempotency_mismatch', 'too_many_requests'],
});
