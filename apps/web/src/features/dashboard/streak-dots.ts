/** `extra`: beyond the target. */
export interface StreakDot {
  /** How manieth of the week, from 1. */
  day: number;
  look: 'done' | 'open' | 'extra';
}

/** This week's active days as dots: the target's first, those done filled, then the days beyond it. */
export function streakDots(days: number, target_days: number): StreakDot[] {
  return Array.from({ length: Math.max(days, target_days) }, (_, index) => {
    const day = index + 1;
    if (day > target_days) return { day, look: 'extra' };
    return { day, look: day <= days ? 'done' : 'open' };
  });
}
