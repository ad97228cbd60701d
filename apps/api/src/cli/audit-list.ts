import { Command } from '@commander-js/extra-typings';
import { type AuditAct, type ListedAuditEntry, listAuditEntries } from '#api/modules/audit/service.ts';
import { defineCommand, parseCount, toTerminalSafeJson } from './command.ts';

const DEFAULT_LIMIT = 50;

const ACT_TEXTS: Record<AuditAct, string> = {
  referee_invited: 'invited a referee to a center',
  referee_granted: 'made a referee of a center of',
  referee_revoked: "ended a referee's right at a center",
  kiosk_invited: 'made a code for a kiosk of a center',
  kiosks_revoked: 'ended the kiosks of a center',
  center_claim_begun: 'began to claim a center',
  center_claim_failed: 'was refused as a manager of a center',
  center_claim_proved: 'became a manager of a center by a proof',
  center_claim_accepted: 'accepted as a manager of a center',
  center_claim_refused: 'refused as a manager of a center',
  operator_invited: 'made a set-up address',
  operator_invite_redeemed: 'became an operator by a set-up address',
  operator_invite_refused: 'was refused with a set-up address',
  operator_granted: 'made an operator of',
  operator_revoked: 'ended the operator right of',
  manager_invited: 'invited a manager to a center',
  manager_invite_redeemed: 'became a manager of a center by an invite',
  manager_invite_refused: 'was refused with an invite for managers',
  manager_granted: 'made a manager of a center of',
  manager_revoked: 'ended the manager right at a center of',
  manager_left: 'left as a manager of a center:',
  center_details_changed: 'changed the details of a center',
  center_hours_changed: 'changed the opening hours of a center',
  server_updated: "changed the server's name, its town or who may load areas",
  area_load_requested: "requested a town's sport centers",
  area_load_cancelled: "cancelled a load of a town's sport centers",
  area_load_done: "loaded a town's sport centers",
  area_load_failed: "could not load a town's sport centers",
  street_load_requested: "requested a town's streets",
  street_load_cancelled: "cancelled a load of a town's streets",
  street_load_done: "loaded a town's streets",
  street_load_failed: "could not load a town's streets",
  user_created: 'made an account for',
  password_link_created: 'made a password link for',
  user_suspended: 'suspended',
  suspension_lifted: 'lifted the suspension of',
  erasure_requested: 'locked, until it is erased, the account of',
  report_dismissed: 'dismissed a report',
  report_upheld: 'suspended an account because of a report',
  review_kept: 'left the decisions as they are of',
  decision_withdrawn: 'took a decision back of',
};

export const command = defineCommand({
  noun: 'audit',
  verb: 'list',
  summary: 'list what operators and managers did',
  description: `Lists the audit trail, newest first: who did what with the right of an operator or a manager, or tried to. An erased user
appears as deleted-user.`,
  json: 'the entries',
  exit_codes: '0 listed',
  declare: () => new Command().option('--limit <n>', 'how many entries, the latest', parseCount, DEFAULT_LIMIT),
  async run({ database }, { limit }) {
    const entries = await listAuditEntries(database, limit);
    return { data: { entries }, text: entries.map(describe).join('') || 'The audit trail is empty.\n' };
  },
});

/** Details and reason as JSON: their texts cannot draw on the terminal. */
function describe({ at, actor, act, subject, details, reason }: ListedAuditEntry): string {
  const parts = [`${at}  ${actor} ${ACT_TEXTS[act] ?? act}`];
  if (subject !== null) parts.push(subject);
  if (Object.keys(details).length > 0) parts.push(toTerminalSafeJson(details));
  if (reason !== null) parts.push(toTerminalSafeJson(reason));
  return `${parts.join(' ')}\n`;
}
