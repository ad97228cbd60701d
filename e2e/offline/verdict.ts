import { countAltered, isRightTime } from './alterations.ts';
import { allowedStatuses, type Notebook, type NotedStep } from './notebook.ts';
import type { PhoneRows } from './phone-rows.ts';
import type { ServerRows } from './server-rows.ts';

/** The damage of a life; every figure must be 0. */
export interface Damage {
  /** Saved steps and messages that are nowhere, or that the server refused without a reason. */
  lost: number;
  doubled: number;
  /** On the server, but with another time, day, place, distance or text than the athlete entered, or in another order. */
  altered: number;
  sent_as_another: number;
  wrong_sign_outs: number;
  /** Rows that a phone has not sent after 15 s of good network, and screens that did not come. */
  stuck: number;
  /** The app said that it is saved, here or on the server, and it was not. */
  falsely_saved: number;
}

export type DamageKind = keyof Damage;

/** Counts damage, with a line for each. */
export interface DamageReport {
  damage: Damage;
  lines: string[];
  add(kind: DamageKind, line: string): void;
}

export const NO_DAMAGE: Damage = {
  lost: 0,
  doubled: 0,
  altered: 0,
  sent_as_another: 0,
  wrong_sign_outs: 0,
  stuck: 0,
  falsely_saved: 0,
};

export function openDamageReport(): DamageReport {
  const damage = { ...NO_DAMAGE };
  const lines: string[] = [];
  return {
    damage,
    lines,
    add(kind, line) {
      damage[kind] += 1;
      lines.push(`${kind}: ${line}`);
    },
  };
}

/** What a life left, once everything should have arrived. */
export interface Leavings {
  notebook: Notebook;
  server: ServerRows;
  phones: readonly PhoneRows[];
}

/**
 * Two phones of one athlete can do what cannot both be: the server refuses the later one, and its phone asks. Such a
 * refusal is right if the server had another activity of the athlete at that time. No other refusal is right.
 */
export const isOverlapCode = (code: string): boolean =>
  code === 'activity_overlap' || code === 'activity_already_active';

/** Compares the acknowledged steps and messages with those of the server and the phones. Returns the number of right refusals. */
export function judge({ notebook, server, phones }: Leavings, report: DamageReport): number {
  for (const phone of phones) countStuck(phone, report);
  const refused = judgeActivities({ notebook, server, phones }, report);
  judgeMessages({ notebook, server, phones }, report);
  countDoubled({ notebook, server, phones }, report);
  countAltered({ notebook, server, phones }, report);
  return refused;
}

function countStuck({ ops, messages, sealed }: PhoneRows, report: DamageReport): void {
  for (const { kind, client_id, last_error } of ops) report.add('stuck', `${kind} of ${client_id}, ${last_error}`);
  for (const { text, refused, last_error } of messages)
    if (refused === null) report.add('stuck', `message "${text}", ${last_error}`);
  for (let left = 0; left < sealed; left += 1) report.add('stuck', 'sealed work');
}

function judgeActivities({ notebook, server, phones }: Leavings, report: DamageReport): number {
  const rows = new Map(server.activities.map((row) => [row.id, row]));
  const queued = new Set(phones.flatMap(({ ops }) => ops.map(({ client_id }) => client_id)));
  const dead = phones.flatMap((phone) => phone.dead);
  let right_refusals = 0;
  for (const [client_id, { user_id, steps }] of notebook.activities) {
    const row = rows.get(client_id);
    if (row && row.user_id !== user_id) report.add('sent_as_another', `activity ${client_id} of ${user_id}`);
    const refused = dead.filter((op) => op.client_id === client_id);
    if (isRightlyRefused(client_id, { refused, user_id, steps, server, phones })) {
      right_refusals += 1;
      continue;
    }
    for (const { kind, code } of refused) report.add('lost', `${kind} of ${client_id} was refused: ${code}`);
    if (refused.length > 0 || queued.has(client_id)) continue;
    const status = row?.status ?? 'absent';
    const allowed = allowedStatuses(steps);
    // The server refused its start for an overlap: once it is deleted, nothing of it is left.
    if (phones.length > 1 && allowed.has('deleted')) allowed.add('absent');
    if (!allowed.has(status as never)) {
      const noted = steps.map(({ step, is_saved }) => (is_saved ? step : `(${step})`)).join(', ');
      report.add('lost', `activity ${client_id} is ${status} after ${noted}`);
    }
  }
  return right_refusals;
}

interface Refusal {
  refused: PhoneRows['dead'];
  user_id: string;
  steps: readonly NotedStep[];
  server: ServerRows;
  phones: readonly PhoneRows[];
}

function isRightlyRefused(client_id: string, { refused, user_id, steps, server, phones }: Refusal): boolean {
  if (phones.length === 1 || !refused.some(({ code }) => isOverlapCode(code))) return false;
  const own = phones.flatMap(({ activities }) => activities).find((activity) => activity.client_id === client_id);
  // With a wrong time it may have met another activity for nothing.
  if (!own || !isRightTime(own, steps)) return false;
  const others = server.activities.filter(
    (row) => row.user_id === user_id && row.id !== client_id && isThereAtRefusal(row, { client_id, server }),
  );
  const from_ms = Date.parse(own.started_at);
  const to_ms = own.ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(own.ended_at);
  return others.some(
    (row) => row.started_at.getTime() < to_ms && (row.ended_at?.getTime() ?? Number.POSITIVE_INFINITY) > from_ms,
  );
}

/** A deleted activity takes no time: it excuses no refusal that came after its deletion. */
function isThereAtRefusal(
  { id, status }: ServerRows['activities'][number],
  { client_id, server }: { client_id: string; server: ServerRows },
): boolean {
  if (status !== 'deleted') return true;
  const deleted = server.ops.find(({ activity_id, kind }) => activity_id === id && kind === 'delete');
  const refusals = server.refusals.filter(
    ({ activity_id, code }) => activity_id === client_id && isOverlapCode(code ?? ''),
  );
  const last_ms = Math.max(...refusals.map(({ received_at }) => received_at.getTime()));
  return deleted !== undefined && refusals.length > 0 && last_ms <= deleted.received_at.getTime();
}

function judgeMessages({ notebook, server, phones }: Leavings, report: DamageReport): void {
  const on_phones = new Map(phones.flatMap(({ messages }) => messages.map((message) => [message.text, message])));
  for (const [text, { user_id, is_saved }] of notebook.messages) {
    const found = server.messages.filter((message) => message.text === text);
    for (const { sender_id } of found)
      if (sender_id !== user_id) report.add('sent_as_another', `message "${text}" of ${user_id}`);
    if (found.length > 1) report.add('doubled', `message "${text}" is there ${found.length} times`);
    const waiting = on_phones.get(text);
    if (waiting?.refused) report.add('lost', `message "${text}" was refused: ${waiting.refused}`);
    else if (found.length === 0 && is_saved && !waiting) report.add('lost', `message "${text}"`);
  }
}

function countDoubled({ notebook, server }: Leavings, report: DamageReport): void {
  const unknown = server.activities.filter(({ id }) => !notebook.activities.has(id));
  for (const [user_id, rows] of Map.groupBy(unknown, (row) => row.user_id)) {
    const unseen = notebook.unseen_starts.get(user_id) ?? [];
    for (const { id } of rows.slice(unseen.length)) report.add('doubled', `activity ${id} was never started`);
  }
  for (const [client_id, { steps }] of notebook.activities) {
    for (const kind of ['start', 'finish', 'delete'] as const) {
      const accepted = server.ops.filter((op) => op.activity_id === client_id && op.kind === kind).length;
      const tried = steps.filter(({ step }) => step === kind).length;
      if (accepted > tried) report.add('doubled', `${kind} of ${client_id} was accepted ${accepted} times`);
    }
  }
}
