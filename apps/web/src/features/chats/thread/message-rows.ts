import type { MessageLine } from '../data/message-lines.ts';

/**
 * A message of the list, with the elements above it: the `day` (ms epoch) if one begins here, and the divider if it
 * `is_new`. They are part of the row, as the list anchors on rows while older ones are prepended: no row may vanish
 * then.
 */
export interface MessageRow {
  line: MessageLine;
  day: number | null;
  is_new: boolean;
  /** `is_first`, `is_last`: of a group by the same sender. */
  is_first: boolean;
  is_last: boolean;
}

/** Messages of one sender within this time form a group. */
const GROUP_MS = 5 * 60_000;

/**
 * Returns the rows of lines (oldest first), with a separator before each day (of this device's calendar) and one before
 * the messages that were new when the chat was opened.
 */
export function buildRows(lines: readonly MessageLine[], first_new_id: string | null): MessageRow[] {
  const rows: MessageRow[] = [];
  let day_start = Number.NEGATIVE_INFINITY;
  let day_end = day_start;
  for (const line of lines) {
    const { id, created_at } = line;
    const before = rows.at(-1);
    // The calendar is used once per day, not per message: there may be thousands.
    const is_new_day = created_at < day_start || created_at >= day_end;
    if (is_new_day) [day_start, day_end] = localDayRange(created_at);
    const is_new = id === first_new_id;
    const is_first = is_new_day || is_new || !before || !isSameGroup(before.line, line);
    if (before && is_first) before.is_last = true;
    rows.push({ line, day: is_new_day ? created_at : null, is_new, is_first, is_last: false });
  }
  const last = rows.at(-1);
  if (last) last.is_last = true;
  return rows;
}

/**
 * Returns the id of the message below the divider: the oldest that was unread when the chat was opened. Older pages may
 * hold an older one; `previous_id` keeps the divider even once it is read.
 */
export function firstNewId(lines: readonly MessageLine[], previous_id: string | null): string | null {
  for (const { id, unread } of lines) if (unread || id === previous_id) return id;
  return null;
}

function isSameGroup(one: MessageLine, next: MessageLine): boolean {
  return one.mine === next.mine && next.created_at - one.created_at < GROUP_MS && one.status !== 'failed';
}

/** Returns the local day as [start, end), ms epoch. */
function localDayRange(at_ms: number): [number, number] {
  const start = new Date(at_ms).setHours(0, 0, 0, 0);
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return [start, end.getTime()];
}
