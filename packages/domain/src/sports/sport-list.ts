import { CLIMBING } from './climbing.ts';
import type { SportRecord } from './sport-record.ts';
import { SWIMMING } from './swimming.ts';

/** Every sport, in the order of the app. */
export const SPORT_LIST = [CLIMBING, SWIMMING] as const satisfies readonly SportRecord[];
