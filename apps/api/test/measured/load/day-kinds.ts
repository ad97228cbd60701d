/** Shares of the calls, an assumption: an athlete opens the app often, writes some messages, and trains a few times a week. */
export const SHARES = { read: 0.7, search: 0.08, send: 0.14, steps: 0.02, scan: 0.015, stream: 0.045 };
export type Kind = keyof typeof SHARES;
export const KINDS = Object.keys(SHARES) as Kind[];

export interface DayAthlete {
  token: string;
  public_id: string;
  chat_id: string;
}
export interface DayCenter {
  id: string;
  latitude: number;
  longitude: number;
  /** Bearer token and public id. */
  referee: string;
  referee_public_id: string;
}

/** First the people, then any number of loads, one at a time. No visit ends after `began_at`. */
export type DayOrder =
  | { what: 'open'; url: string; athletes: DayAthlete[]; centers: DayCenter[]; streams: number; began_at: number }
  | { what: 'closed'; callers: number; duration_s: number }
  | { what: 'paced'; per_s: number; duration_s: number };

export interface DayFigure {
  per_s: number;
  /** Of each call. */
  times_ms: Record<Kind, number[]>;
  /** CPU time of the load itself. */
  cpu_us: number;
}
