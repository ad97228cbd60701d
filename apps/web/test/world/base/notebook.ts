import type { Op } from '@sendlap/contract/activities.ts';

/** One action of an athlete, and what the app told about it. */
interface Action {
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
  actions: Map<string, Action>;
  /** Activities (client_id) about whose times the app asked. */
  asked: Set<string>;
  /** Op ids of the refusals that an athlete has read, with their codes. */
  refused: Map<string, string>;
}

export function createNotebook(): Notebook {
  return { actions: new Map(), asked: new Set(), refused: new Map() };
}
