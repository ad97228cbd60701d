import type { Sport } from '@sendlap/domain/sports.ts';
import { CLIMBING_RULES } from './classify-climbing.ts';
import { SWIMMING_RULES } from './classify-swimming.ts';
import type { SportRules } from './sport-rules.ts';

export const RULES_BY_SPORT: Record<Sport, SportRules> = { climbing: CLIMBING_RULES, swimming: SWIMMING_RULES };
