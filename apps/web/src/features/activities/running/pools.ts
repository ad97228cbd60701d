import { poolMetres, type Units } from '@sendlap/domain/units.ts';

/** In metres; 0: no pool, lengths are not counted. A user of yards also swims in pools that were built in metres. */
const POOLS_M = { m: [25, 50, 0], yd: [poolMetres(25), 25, 50, 0] };

/** Returns the pool with which a swim begins, in metres. */
export function defaultPool(unit: Units['swimming']): number {
  return unit === 'm' ? 25 : poolMetres(25);
}

/** Returns the offered pools in metres, always with the chosen one. */
export function poolsFor(unit: Units['swimming'], chosen_m: number): number[] {
  return POOLS_M[unit].includes(chosen_m) ? POOLS_M[unit] : [chosen_m, ...POOLS_M[unit]];
}
