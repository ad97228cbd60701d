import { HOUR_MS } from '@sendlap/domain/durations.ts';
import { type Score, scoreActivity } from '@sendlap/domain/scoring.ts';
import type { Intensity } from '@sendlap/domain/sports/sport-record.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { type ActivityView, scoreOf } from '../data/activity-view.ts';
import { isConfirmable } from '../data/week.ts';

/** METs are thousandths. */
export interface SportAssumption {
  active_percent: number;
  rest_met_thousandths: number;
}

/**
 * Returns the points if a referee confirmed the distance; null if those are no more than without, or the time to
 * confirm is over. `now`: ms epoch by the server's clock.
 */
export function pointsIfRefereeConfirms(activity: ActivityView, now: number): number | null {
  const { score, ended_at } = activity;
  if (!score || ended_at === null || !isConfirmable(activity, now)) return null;
  const { points } = scoreOf(activity, Date.parse(ended_at), true);
  return points > score.points ? points : null;
}

function scoreOneHour(sport_type: Sport, intensity: Intensity): Score {
  return scoreActivity({
    rule_version: 'met-1',
    sport_type,
    intensity,
    intensity_confirmed: true,
    distance_m: null,
    distance_confirmed: false,
    started_at: 0,
    ended_at: HOUR_MS,
    paused_s: 0,
  });
}

/**
 * Returns the two constants of all rules that are our own assumption. They are derived from `met-1`, where the declared
 * intensity counts: a whole activity's MET is linear in M_active, so two of its points define the line.
 */
export function assumptionOf(sport_type: Sport): SportAssumption {
  const easy = scoreOneHour(sport_type, 'easy');
  const hard = scoreOneHour(sport_type, 'hard');
  const share =
    (hard.met_thousandths - easy.met_thousandths) / (hard.active_met_thousandths - easy.active_met_thousandths);
  const rest = (easy.met_thousandths - share * easy.active_met_thousandths) / (1 - share);
  return { active_percent: Math.round(share * 100), rest_met_thousandths: Math.round(rest) };
}
