import { type Intensity, type Score, type Sport, scoreActivity } from '@sendlap/domain/scoring.ts';

const HOUR_MS = 3_600_000;

/** METs are thousandths. */
export interface SportAssumption {
  active_percent: number;
  rest_met_thousandths: number;
}

function metsOf(sport_type: Sport, intensity: Intensity): Score {
  return scoreActivity({
    sport_type,
    intensity,
    intensity_confirmed: true,
    distance_m: null,
    started_at: 0,
    ended_at: HOUR_MS,
  });
}

/**
 * The two constants of rule `met-1` that are our own assumption, read off the rule itself: a whole activity's MET is
 * a straight line in M_active, so two of its points give the line.
 */
export function assumptionOf(sport_type: Sport): SportAssumption {
  const easy = metsOf(sport_type, 'easy');
  const hard = metsOf(sport_type, 'hard');
  const share =
    (hard.met_thousandths - easy.met_thousandths) / (hard.active_met_thousandths - easy.active_met_thousandths);
  const rest = (easy.met_thousandths - share * easy.active_met_thousandths) / (1 - share);
  return { active_percent: Math.round(share * 100), rest_met_thousandths: Math.round(rest) };
}
