import type { RefusalCode, SourceRecord, Verdict } from '../read/types.ts';

/** What the import knows about one sport. */
export interface SportRules {
  /** The verb of the reasons for a refusal: 'nothing says that one can climb or swim there'. */
  verb: string;
  /** Decides whether the record is a center of this sport; null: unrelated to it. `name` is folded. */
  classify: (record: SourceRecord, name: string) => Verdict | null;
  /** What Overpass servers are asked for, all that `classify` can take (POSIX extended, alternatives with `|`). */
  overpass: {
    /** Part of the tag `sport`. */
    sport: string;
    /** Whole values of `leisure` and `amenity`. */
    leisure: string;
    amenity: string;
    /** Values of `leisure` of places without a sport that count by their name alone; null: none. */
    leisure_by_name: RegExp | null;
  };
  /** Words that describe the kind of center and do not identify it, with spaces between. */
  kind_words: string;
  /** Folded names that only state the kind of center. */
  bare_kind: RegExp;
  /** Folded names of parts that are merged into the center beside them; null: none. */
  part: RegExp | null;
}

export function refuse(code: RefusalCode, reason: string): Verdict {
  return { ok: false, code, reason };
}
