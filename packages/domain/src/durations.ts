export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const DAYS_A_WEEK = 7;
export const WEEK_MS = DAYS_A_WEEK * DAY_MS;
