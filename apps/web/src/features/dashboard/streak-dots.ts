/** `extra`: beyond the target. */
export interface StreakDot {
  /** The number of the day within the week's active days, from 1. */
  day: number;
  look: 'done' | 'open' | 'extra';
}

/**
 * Returns this week's active days as dots: first those up to the target (done ones filled), then the days beyond it.
 */
export function streakDots(days: number, target_days: number): StreakDot[] {
  return Array.from({ length: Math.max(days, target_days) }, (_, index) => {
    const day = index + 1;
    if (day > target_days) return { day, look: 'extra' };
    return { day, look: day <= days ? 'done' : 'open' };
  });
}
