import type { TileAddress } from './tile-address.ts';
import { buildWorldIndex } from './world-index.ts';

/** What goes to the process and what comes back; `tile` is null where nothing is drawn. */
export interface TileOrder extends TileAddress {
  order: number;
}
export interface TileDelivery {
  order: number;
  tile: Uint8Array | null;
}

// The server may die without a word; nobody is left to cut for then.
process.on('disconnect', () => process.exit());

const world = buildWorldIndex();

process.on('message', ({ order, ...address }: TileOrder) => {
  const delivery: TileDelivery = { order, tile: world.cut(address) };
  process.send?.(delivery);
});
