import { PATHS } from '../../apps/web/src/shared/paths.ts';
import { POOL } from '../people/swimming.ts';
import { CHAMPION, NAME } from './filled-athlete.ts';

/** The signed-in screens that are measured, each with a selector of what it must show. */
export const SCREENS: Record<string, { path: string; shows: string }> = {
  '/dashboard': { path: PATHS.dashboard, shows: `main >> text=${POOL}` },
  '/leaderboards': { path: PATHS.leaderboards, shows: `main >> text=${CHAMPION}` },
  '/activities': { path: PATHS.history, shows: `main >> text=${POOL}` },
  '/profile': { path: PATHS.profile, shows: `main >> text=${NAME}` },
  '/sport-centers': { path: PATHS.sportCenters, shows: 'main li a' },
};
