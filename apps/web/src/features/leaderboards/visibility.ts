import { PRESENCE_MIN_AGE } from '@sendlap/domain/locations.ts';

/** Too young for public boards, by the age in the bio info; 0 is one that nobody has told. */
export function isTooYoung({ age }: { age: number }): boolean {
  return age > 0 && age < PRESENCE_MIN_AGE;
}

/** What is known of whether others see me on boards; null: not read. */
interface Knowledge {
  age: number;
  /** As the board says. */
  hidden: boolean | null;
  /** As the settings say. */
  boards: boolean | null;
}

/** Whether others don't see me: the board knows it, without one the settings and my age do. null: nobody has said. */
export function isHidden({ age, hidden, boards }: Knowledge): boolean | null {
  if (hidden !== null) return hidden;
  if (isTooYoung({ age })) return true;
  return boards === null ? null : !boards;
}

/** What the switch shows. The settings come first, which it changes; null: unknown, which is not off. */
export function isShown({ hidden, boards }: Omit<Knowledge, 'age'>): boolean | null {
  return boards ?? (hidden === null ? null : !hidden);
}

/** The board and the settings can't both be up to date: changed on another device, say. */
export function disagrees({ age, hidden, boards }: Knowledge): boolean {
  return !isTooYoung({ age }) && hidden !== null && hidden === boards;
}
