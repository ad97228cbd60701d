/** What a cheat spends. */
export interface Cost {
  /** How often someone at the kiosk reads a code for an account's visit, at the end where it takes more. */
  kiosk_visits: number;
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
  is_known: boolean;
  cost: Cost;
  accounts: number;
  /** What operators see in their reviews. */
  flags: string[];
  /** Codes of the refusals, and of the limits of proofs. */
  refusals: string[];
}

/** Whether it reached public boards with less than a kiosk visit for each account and visit, and without a right. */
export function isTooCheap({ public: reached, cost }: PlayedCheat): boolean {
  return cost.rights === 0 && reached > cost.kiosk_visits;
}
