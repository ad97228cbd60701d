import { openDatabase } from '#api/database/database.ts';
import { createEventWriter } from '#api/events/events.ts';
import { carryOut, type RankOrder } from './carry-out.ts';

/** A process that writes until it is killed; no node is notified of its commits. */
const { RANKS_DATABASE_URL = '' } = process.env;
const events = createEventWriter(openDatabase(RANKS_DATABASE_URL));

process.on('message', (order: RankOrder) => {
  carryOut(events, order).then(
    () => process.send?.({ id: order.id }),
    (error: unknown) => process.send?.({ id: order.id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
