import type { Sport } from '@sendlap/domain/sports.ts';

/** OpenStreetMap-like key/value facts; readers translate the other formats into these keys. */
export type Tags = Readonly<Record<string, string>>;

/** One feature of a file with a position, before classification as a sport center. */
export type SourceRecord = {
  /** Position in the file, from 0, counting only the records counted in `read`. */
  index: number;
  source: string;
  source_ref: string;
  latitude: number;
  longitude: number;
  tags: Tags;
  /** The sports stated by a normalised file; null if they must be derived from the tags. */
  declared_sports: Sport[] | null;
  /** Title of the collection that the record names as its source, for the attribution. */
  dataset: string | null;
  licence: string | null;
};

export type RefusalCode =
  | 'invalid_feature'
  | 'invalid_text'
  | 'no_geometry'
  | 'missing_nodes'
  | 'wrong_projection'
  | 'out_of_range'
  | 'swapped_coordinates'
  | 'contradicting_coordinates'
  | 'repeated_ref'
  | 'no_name'
  | 'other_sport'
  | 'crag'
  | 'via_ferrata'
  | 'ropes_course'
  | 'pitch_or_playground'
  | 'shop_or_office'
  | 'bathing_place'
  | 'spray_park'
  | 'closed_down'
  | 'no_evidence';

/** A rule's verdict on one sport: possible there, or why not. */
export type Verdict = { ok: true } | { ok: false; code: RefusalCode; reason: string };

/** One feature that was read and will not be imported, with the reason in words for the operator. */
export type Refusal = { index: number; ref: string; name: string | null; code: RefusalCode; reason: string };

/** Source of the starter set, whose positions were written by hand. */
export const STARTER_SOURCE = 'sendlap-starter';

/**
 * Given by the operator on the command line. The licence overrides the file's; the source is for records whose ids do not
 * name one, the file's name if nothing else does.
 */
export type ReadOptions = { source?: string; licence?: string; file_name?: string };

/** A sport center as stored (snake_case as in the table), without its id. `null` = unknown. */
export type Center = {
  source: string;
  source_ref: string;
  name: string;
  address: string | null;
  city: string | null;
  country: string | null;
  latitude: number;
  longitude: number;
  phone: string | null;
  url: string | null;
  is_private: boolean | null;
  time_zone: string;
  licence: string;
  attribution: string;
  other_names: string[];
  /** Names of the towns the center lies in. */
  place_names: string[];
  sports: Sport[];
};

export type ImportErrorCode =
  | 'not_json'
  | 'not_csv'
  | 'bad_mapping'
  | 'unknown_format'
  | 'unreadable'
  | 'too_many_closed'
  | 'no_such_area'
  | 'overpass_failed';

/** The requested import is unusable as a whole; nothing was loaded. `message` says where and why, for the operator. */
export class ImportError extends Error {
  readonly code: ImportErrorCode;
  readonly line: number | null;

  constructor(code: ImportErrorCode, message: string, line: number | null = null) {
    super(message);
    this.name = 'ImportError';
    this.code = code;
    this.line = line;
  }
}
