import { type Misfortunes, type Network, NO_MISFORTUNES } from './network.ts';

/** How often a life met each hardship. */
export interface Hardships extends Misfortunes {
  /** Turns of a network to good or bad. */
  flips: number;
  browser_kills: number;
  server_kills: number;
  /** Proven: a small write was refused. */
  full_devices: number;
  failed_upgrades: number;
  /** New versions of the worker that the athlete took. */
  versions: number;
  syncs: number;
  clock_changes: number;
  /** Clocks set before an act, without a network until after it. */
  offline_clock_changes: number;
  /** Another user signed in, and worked, on a phone with unsent work of its owner. */
  user_changes: number;
  second_phones: number;
}

export const NO_HARDSHIPS: Hardships = {
  ...NO_MISFORTUNES,
  flips: 0,
  browser_kills: 0,
  server_kills: 0,
  full_devices: 0,
  failed_upgrades: 0,
  versions: 0,
  syncs: 0,
  clock_changes: 0,
  offline_clock_changes: 0,
  user_changes: 0,
  second_phones: 0,
};

/** Adds what the network of a phone did. */
export function countNetwork(hardships: Hardships, network: Network): void {
  hardships.flips += network.flips();
  const misfortunes = network.misfortunes();
  for (const kind of Object.keys(NO_MISFORTUNES) as (keyof Misfortunes)[]) hardships[kind] += misfortunes[kind];
}
