import type { SkillAxis } from '@sendlap/domain/progress/skills.ts';
import { numberFormat } from '#web/shared/i18n/formats.ts';

const FORMATS: Record<SkillAxis, Intl.NumberFormatOptions> = {
  endurance: { style: 'unit', unit: 'minute', unitDisplay: 'short' },
  volume: {},
  intensity: { maximumFractionDigits: 1 },
  consistency: { style: 'unit', unit: 'week', unitDisplay: 'long' },
  variety: {},
  fair_play: { style: 'unit', unit: 'percent' },
};

/** Formats an axis' measured value in its own unit: '62 min', '3 weeks', '80%'. */
export function formatSkill(axis: SkillAxis, measured: number, locale: string): string {
  return numberFormat(locale, { maximumFractionDigits: 0, ...FORMATS[axis] }).format(measured);
}
