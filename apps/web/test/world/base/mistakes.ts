interface MistakeArm {
  /** The damage that it does; any other is no proof of it. */
  damage: RegExp;
  /** A world that has it, to be played first. */
  world: number;
}

/** One protection taken away. */
export const MISTAKES = {
  'no idempotency key': { damage: /acted \d+ times|is refused: activity_already_/, world: 9 },
  'saved before written': { damage: /is lost/, world: 1 },
  'sent as any user': { damage: /is another user's/, world: 22 },
  'rotation without proof': { damage: /is back, not signed out/, world: 18 },
  'clock not corrected': { damage: /\d s off|shows a wrong code/, world: 2 },
  'two runners': { damage: /two runners send at once/, world: 3 },
} satisfies Record<string, MistakeArm>;
export type Mistake = keyof typeof MISTAKES;
export const MISTAKE_NAMES = Object.keys(MISTAKES) as Mistake[];
