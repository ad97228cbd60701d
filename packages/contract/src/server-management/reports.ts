import * as z from 'zod/mini';
import { ReportReason } from '../reports.ts';
import { endpoint } from '../wire/endpoint.ts';
import { Cursor, Limit, page, Timestamp, Uuid } from '../wire/schemas.ts';
import { AccountState, PersonRef, Reason } from './people.ts';

export const ReportOutcome = z.enum(['dismissed', 'suspended']);
export type ReportOutcome = z.infer<typeof ReportOutcome>;

/** What a user reported about another user. */
export const Report = z.object({
  id: Uuid,
  created_at: Timestamp,
  reporter: PersonRef,
  reported: z.object({
    ...PersonRef.shape,
    state: AccountState,
    is_operator: z.boolean(),
    /** How many users have reported them, this report included. */
    reporters: z.number(),
  }),
  reason: ReportReason,
  /** The reporter's words. */
  text: z.nullable(z.string()),
  /** The messages that the reporter selected, in the order of the chat. */
  messages: z.array(
    z.object({
      id: Uuid,
      /** Sent by the reported user; else by the reporter. */
      is_of_reported: z.boolean(),
      text: z.string(),
      created_at: Timestamp,
    }),
  ),
  /** null while it is open. */
  handled: z.nullable(
    z.object({ at: Timestamp, by: PersonRef, outcome: ReportOutcome, reason: z.nullable(z.string()) }),
  ),
});
export type Report = z.infer<typeof Report>;

export const listReports = endpoint({
  method: 'GET',
  path: '/v1/manage/reports',
  summary: 'The open reports, or those that were handled, newest first',
  access: 'operator',
  query: z.strictObject({ status: z._default(z.enum(['open', 'handled']), 'open'), limit: Limit, cursor: Cursor }),
  data: page(Report),
  errors: ['cursor_invalid'],
});

export const handleReport = endpoint({
  method: 'POST',
  path: '/v1/manage/reports/:id/outcome',
  summary: 'Close a report: dismiss it, or suspend the reported account. Once; the same outcome again is a repeat',
  access: 'operator',
  params: z.strictObject({ id: Uuid }),
  body: z.strictObject({ outcome: ReportOutcome, reason: Reason }),
  data: Report,
  errors: ['not_found', 'conflict', 'user_not_found', 'user_is_operator'],
});
