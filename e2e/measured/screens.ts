import { PATHS } from '../../apps/web/src/shared/paths.ts';
import { POOL } from '../people/swimming.ts';
import { CHAMPION, NAME } from './filled-athlete.ts';

/** The signed-in screens that are measured, by path, each with a selector of what it must show. */
export const SCREENS: Record<string, string> = {
  [PATHS.dashboard]: `main >> text=${POOL}`,
  [PATHS.leaderboards]: `main >> text=${CHAMPION}`,
  [PATHS.history]: `main >> text=${POOL}`,
  [PATHS.profile]: `main >> text=${NAME}`,
  [PATHS.sportCenters]: 'main li a',
};
