import type { TileAddress } from './tile-address.ts';
import { buildWorldIndex } from './world-index.ts';

/** What goes to the process and what comes back. */
export interface TileOrder extends TileAddress {
  order: number;
}
export interface TileDelivery {
  order: number;
  tile: Uint8Array;
}

// The server may die without a word; nobody is left to cut for then.
process.on('disconnect', () => process.exit());

/** Gives memory back that the process would else keep empty as long as it lives: more than it needs. See service.ts. */
const giveBack = () => void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });

const world = buildWorldIndex();
giveBack();

process.on('message', ({ order, ...address }: TileOrder) => {
  const delivery: TileDelivery = { order, tile: world.cut(address) };
  // Where it cannot be delivered, the server is gone, and with it the reason to be here.
  process.send?.(delivery, undefined, undefined, (error) => error && process.exit());
});

// One tile at a time, so that what is asked for goes in between.
const preparation = world.prepare();
const goOn = () => {
  if (preparation.next().done) giveBack();
  else setImmediate(goOn);
};
goOn();
