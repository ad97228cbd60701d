import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { appendEvents } from '#api/events/event-store.ts';
import type { Someone } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { anyId, fileCall, forAll } from './rows.ts';
import type { Call, Row } from './rules.ts';

const after = (seq: number): Call => ({ headers: { 'last-event-id': String(seq) } });

/** Each caller has an event: the stream is read until the newest one. */
async function allEvents({ api }: MatrixWorld, { user }: Someone): Promise<Call> {
  const event = { type: 'chat_changed', chat_id: anyId() } as const;
  await api.database.transaction().execute((trx) => appendEvents(trx, [{ user_id: user.id, event }]));
  return after(0);
}

/** After the rows that make events. */
export const ROWS_OF_EVENTS: Row[] = [
  forAll(fileCall(EVENTS_PATH, 'user'), allEvents, { on: 'all events that are kept for them', is_for_each: true }),
  forAll(fileCall(EVENTS_PATH, 'user'), () => after(999_999), { on: 'events after one that does not exist' }),
  forAll(fileCall(EVENTS_PATH, 'user'), undefined, { on: 'events from now on' }),
];
