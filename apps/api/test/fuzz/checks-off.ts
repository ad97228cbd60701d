import type { Slip } from '../slips.ts';

/** Source edits, each of which takes one protection away, and the operation by which the requests must notice it. */
export const CHECKS_OFF: Record<string, Slip & { operations: readonly string[]; finding: RegExp }> = {
  'the check of texts': {
    file: 'http/json-body.ts',
    find: "if (text.includes('\\u0000') || !text.isWellFormed())",
    replace: "if (text.includes('\\u0000') && text === '')",
    operations: ['PATCH /v1/users/settings', 'POST /v1/reports'],
    finding: /answered 500/,
  },
  'the limits of years': {
    file: 'src/wire/schemas.ts',
    find: 'return Number.isNaN(year) || (year >= first && year <= last);',
    replace: 'return Number.isNaN(year) || first <= last;',
    operations: ['GET /v1/activities'],
    finding: /answered 500/,
  },
  'the order of check and change': {
    file: 'notifications/routes.ts',
    find: 'await notifications.unsubscribe(user_id, params.id); return {};',
    replace:
      'await notifications.unsubscribe(user_id, params.id); return Promise.reject(Object.assign(new Error(), { statusCode: 404 }));',
    operations: ['DELETE /v1/push-subscriptions/:id'],
    finding: /refused with 404 not_found, but changed push_subscriptions/,
  },
};
