import type { Op } from '@sendlap/contract/activities.ts';

/** One deed of an athlete, and what the app told about it. */
interface Deed {
  user_id: string;
  kind: Op['kind'];
  client_id: string;
  /** The true time, ms epoch. */
  done_at: number;
  /** The app said so. */
  is_saved: boolean;
}

export interface Notebook {
  /** By op id. */
  deeds: Map<string, Deed>;
  /** Activities (client_id) about whose times the app asked. */
  asked: Set<string>;
  /** Op ids of the refusals that an athlete has read, with their codes. */
  refused: Map<string, string>;
}

export function createNotebook(): Notebook {
  return { deeds: new Map(), asked: new Set(), refused: new Map() };
}
