import type { MessageLine } from '../data/message-lines.ts';

/**
 * A message as the list shows it, with what stands above it: `day` (ms epoch), where one begins, and the divider before
 * what `is_new`. They are parts of its row, for the list holds on to rows while older ones come above: no row may go then.
 */
export interface MessageRow {
  line: MessageLine;
  day: number | null;
  is_new: boolean;
  /** Of a group of the same sender. */
  is_first: boolean;
  is_last: boolean;
}

/** Messages of one sender within so long stand together. */
const GROUP_MS = 5 * 60_000;

/**
 * Lines (oldest first) with a separator before each day (of this device's calendar) and one before what was new when
 * the chat was opened.
 */
export function buildRows(lines: readonly MessageLine[], first_new_id: string | null): MessageRow[] {
  const rows: MessageRow[] = [];
  let day_start = Number.NEGATIVE_INFINITY;
  let day_end = day_start;
  for (const line of lines) {
    const { id, created_at } = line;
    const before = rows.at(-1);
    // A calendar is asked once a day, not once a message: there may be thousands.
    const is_new_day = created_at < day_start || created_at >= day_end;
    if (is_new_day) [day_start, day_end] = dayAround(created_at);
    const is_new = id === first_new_id;
    const is_first = is_new_day || is_new || !before || !isTogether(before.line, line);
    if (before && is_first) before.is_last = true;
    rows.push({ line, day: is_new_day ? created_at : null, is_new, is_first, is_last: false });
  }
  const last = rows.at(-1);
  if (last) last.is_last = true;
  return rows;
}

/**
 * The message before which the divider stands: the oldest that nobody had seen when the chat was opened. Older pages may
 * hold older ones; what comes later has none.
 */
export function firstNewId(lines: readonly MessageLine[], known: string | null): string | null {
  for (const { id, unread } of lines) if (unread || id === known) return id;
  return null;
}

function isTogether(one: MessageLine, next: MessageLine): boolean {
  return one.mine === next.mine && next.created_at - one.created_at < GROUP_MS && one.status !== 'failed';
}

/** From midnight to midnight, ms epoch. */
function dayAround(at_ms: number): [number, number] {
  const start = new Date(at_ms).setHours(0, 0, 0, 0);
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return [start, end.getTime()];
}
