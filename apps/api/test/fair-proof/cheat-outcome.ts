/** What a cheat spends. */
export interface Cost {
  /** How often someone at the kiosk reads a code, at the starts and at the finishes together. */
  codes_read: number;
  /** People at the center, each counted again at each visit. One can read the codes of several accounts. */
  people: number;
  /** Rights of a referee, or of a center's own tablet, that are misused. */
  rights: number;
}

/** What a cheat has gained: activities that give points, by where they count. */
export interface Gain {
  /** Also on public boards. */
  public: number;
  /** On friends' boards and for the level only. */
  friends: number;
  /** Confirmed by a referee: with the shield. */
  shield: number;
}

export interface PlayedCheat extends Gain {
  name: string;
  /** Found in an earlier examination. */
  is_regression: boolean;
  cost: Cost;
  accounts: number;
  /** What operators see in their reviews. */
  flags: string[];
  /** Codes of the refusals, and of the limits of proofs. */
  refusals: string[];
}

/**
 * Whether activities reached public boards although no right was misused and no more codes were read than activities
 * counted. A fair price is a code for each activity, and one more.
 */
export function isTooCheap({ public: reached, cost }: PlayedCheat): boolean {
  return cost.rights === 0 && reached > 0 && reached >= cost.codes_read;
}

/** Whether more activities reached public boards than people were at the center, although no right was misused. */
export function isBelowOnePerson({ public: reached, cost }: PlayedCheat): boolean {
  return cost.rights === 0 && reached > cost.people;
}
