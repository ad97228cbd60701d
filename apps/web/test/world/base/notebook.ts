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

interface ReadRefusal {
  user_id: string;
  client_id: string;
  code: string;
}

export interface Notebook {
  /** By op id. */
  actions: Map<string, Action>;
  /** Activities (client_id) about whose times the app asked. */
  asked: Set<string>;
  /** Steps (op id) of activities that their user has discarded, with all that had been refused by then. */
  discarded: Set<string>;
  /** The refusals that a user has read, by op id: of actions, and of ops that replaced them. */
  refused: Map<string, ReadRefusal>;
  /** The app tells that it is saved. */
  noteSaved(action: Action): void;
}

export function createNotebook(onSaved = () => {}): Notebook {
  return {
    actions: new Map(),
    asked: new Set(),
    discarded: new Set(),
    refused: new Map(),
    noteSaved(action) {
      action.is_saved = true;
      onSaved();
    },
  };
}
