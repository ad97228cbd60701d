export const INTENSITIES = ['easy', 'moderate', 'hard'] as const;
export type Intensity = (typeof INTENSITIES)[number];

export interface Pace {
  /** Tenths of m/min. */
  pace: number;
  /** METs in thousandths. */
  met: number;
}

/** Everything that the rules know about a sport. Look and texts are in the app, the rules of the import in the server. */
export interface SportRecord {
  /** Its name on the wire, in the database and in the keys of texts; never changes. */
  name: string;
  /** Its number in a QR code, 1 to 255; never changes. */
  code_number: number;
  /** Words of a search that mean the sport itself, in English and Spanish, folded (see `foldText`). */
  search_words: readonly string[];
  /** METs in thousandths while moving. */
  active: Record<Intensity, number>;
  /** METs in thousandths between attempts or lengths. */
  rest: number;
  /** Share of the time spent moving, in percent. Like `rest` our own assumption, and the app says so. */
  active_percent: number;
  /**
   * For a sport whose distance is measured: its pace then decides the points, and with `met-2` it counts as easy until a
   * referee confirms the distance. null: no distance; the intensity decides.
   */
  distance: {
    /** Metres; more than an athlete can cover at a center in one activity. */
    max_m: number;
    /** Metres; faster than the world record. The weekly totals count no more. */
    max_m_per_minute: number;
    /** Slowest first; linear between, clamped outside. */
    paces: readonly [Pace, ...Pace[]];
  } | null;
  /** Its fields in the weekly totals, which are columns of `athlete_weeks`; no two sports share one. */
  week: {
    /** Number of activities. */
    count: string;
    /** Metres; null: not summed. */
    metres: string | null;
    /** Minutes of the longest activity; null: not kept. */
    longest_minutes: string | null;
  };
}
