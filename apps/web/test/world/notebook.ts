/** What athletes were told, and what really happened. */
export interface Notebook {
  /** Op id to the user whom the app told that it is saved. */
  saved: Map<string, string>;
  /** `kind client_id` to the true time of that deed, ms epoch. */
  done_at: Map<string, number>;
  /** Activities (client_id) about whose times the app asked. */
  asked: Set<string>;
  /** Op ids of the refusals that an athlete has read, with the code and the activity. */
  refused: Map<string, string>;
}

export function createNotebook(): Notebook {
  return { saved: new Map(), done_at: new Map(), asked: new Set(), refused: new Map() };
}
