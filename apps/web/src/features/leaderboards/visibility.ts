import { PRESENCE_MIN_AGE } from '@sendlap/domain/locations.ts';

/** Too young for public boards, by the age in the bio info; 0: the user has not entered an age. */
export function isTooYoung({ age }: { age: number }): boolean {
  return age > 0 && age < PRESENCE_MIN_AGE;
}

/** The known facts about whether others see the user on boards; null: not loaded. */
interface VisibilityFacts {
  age: number;
  /** From the board. */
  hidden: boolean | null;
  /** From the settings. */
  boards: boolean | null;
}

/**
 * Whether others don't see the user: the board knows; without a board, the settings and the age decide. null: unknown.
 */
export function isHidden({ age, hidden, boards }: VisibilityFacts): boolean | null {
  if (hidden !== null) return hidden;
  if (isTooYoung({ age })) return true;
  return boards === null ? null : !boards;
}

/**
 * The value of the switch. The settings come first, because the switch changes them; null: unknown, which is not off.
 */
export function isShown({ hidden, boards }: Omit<VisibilityFacts, 'age'>): boolean | null {
  return boards ?? (hidden === null ? null : !hidden);
}

/** Whether the board and the settings contradict each other, e.g. after a change on another device. */
export function isContradictory({ age, hidden, boards }: VisibilityFacts): boolean {
  return !isTooYoung({ age }) && hidden !== null && hidden === boards;
}
