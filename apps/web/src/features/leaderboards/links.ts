/** Where this feature leads to. */
export const LEADERBOARDS_PATH = '/leaderboards';
export const SPORT_CENTERS_PATH = '/sport-centers';
