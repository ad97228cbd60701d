import {
  fromWholeMetres,
  KM_PER_MILE,
  M_PER_YARD,
  poolYards,
  toFeetAndInches,
  toPounds,
  type Units,
} from '@sendlap/domain/units.ts';
import { listFormat, numberFormat } from '#web/shared/i18n/formats.ts';

const M_PER_KM = 1000;
const SHORT_STEP = 10;
/** From so many kilometres or miles on, a distance has no decimal. */
const WHOLE_FROM = 10;

/** `long_from`: from so many long units on, a distance is given in them. */
const DISTANCE_SCALES = {
  km: { long: 'kilometer', km_per_long: 1, long_from: 1, short: 'meter', km_per_short: 1 / M_PER_KM },
  mi: { long: 'mile', km_per_long: KM_PER_MILE, long_from: 0.5, short: 'yard', km_per_short: M_PER_YARD / M_PER_KM },
} as const;

const SWIMMING_SCALES = {
  m: { long: 'kilometer', m_per_long: M_PER_KM, short: 'meter', m_per_short: 1 },
  yd: { long: 'mile', m_per_long: KM_PER_MILE * M_PER_KM, short: 'yard', m_per_short: M_PER_YARD },
} as const;

/**
 * Writes lengths, heights and weights. All texts of the app that have one are made here, in the chosen units and by the
 * rules of the locale. Components use `useMeasures()`.
 */
export function createMeasures(units: Units, locale: string) {
  const in_pounds = units.body === 'lb';
  return {
    /** '450 m', '3.2 km', '118 km'; '380 yd', '3.2 mi'. */
    distance: (km: number) => formatDistance(km, units.distance, locale),
    /** A swum distance (whole metres): '2,000 m', '2,185 yd'. */
    swum: (metres: number) => formatSwum(fromWholeMetres(metres, units.swimming), units.swimming, locale),
    /** A number of metres or yards, whichever the user swims: '100 m', '100 yd'. */
    swumUnits: (count: number) => formatSwum(count, units.swimming, locale),
    /** The sum of many swims: '2.5 km', '1.6 mi', '25 m'; `of_metres`: the goal that it is a part of. */
    swumTotal: (metres: number, rounding: 'up' | 'down', of_metres = metres) =>
      formatTotal({ metres, of_metres, rounding }, units.swimming, locale),
    /** A pool as it was built, whatever the units: '25 m', '33.33 m', '25 yd'. */
    pool: (metres: number) => formatPool(metres, locale),
    /** '61.5 kg', '135.6 lb'. */
    weight: (kg: number) => (in_pounds ? format(toPounds(kg), 'pound', locale, 1) : format(kg, 'kilogram', locale, 1)),
    /** '170 cm', '5 ft 7 in'. */
    height: (cm: number) => (in_pounds ? formatFeetAndInches(cm, locale) : format(cm, 'centimeter', locale, 1)),
  };
}

export type Measures = ReturnType<typeof createMeasures>;

function formatDistance(km: number, unit: Units['distance'], locale: string): string {
  const { long, km_per_long, long_from, short, km_per_short } = DISTANCE_SCALES[unit];
  const value = km / km_per_long;
  if (value < long_from) {
    const short_value = Math.max(SHORT_STEP, Math.round(km / km_per_short / SHORT_STEP) * SHORT_STEP);
    if (short_value * km_per_short < long_from * km_per_long) return format(short_value, short, locale);
  }
  return format(value, long, locale, value < WHOLE_FROM ? 1 : 0);
}

function formatSwum(count: number, unit: Units['swimming'], locale: string): string {
  return format(count, SWIMMING_SCALES[unit].short, locale);
}

interface TotalOptions {
  metres: number;
  /** The goal, if `metres` are a part of it: a part is given in the unit of its goal. */
  of_metres: number;
  rounding: 'up' | 'down';
}

/** Returns '2.5 km', '1.6 mi' or, below one of them, '25 m', '28 yd'; and the number in it, for plurals. */
function formatTotal(options: TotalOptions, unit: Units['swimming'], locale: string): { count: number; text: string } {
  const { metres, of_metres, rounding } = options;
  const { long, m_per_long, short, m_per_short } = SWIMMING_SCALES[unit];
  const round = rounding === 'up' ? Math.ceil : Math.floor;
  if (of_metres < m_per_long) {
    const count = round(metres / m_per_short);
    return { count, text: format(count, short, locale) };
  }
  const count = round((10 * metres) / m_per_long) / 10;
  return { count, text: format(count, long, locale, 1) };
}

function formatPool(metres: number, locale: string): string {
  const yards = poolYards(metres);
  return yards === null ? format(metres, 'meter', locale, 2) : format(yards, 'yard', locale);
}

function formatFeetAndInches(cm: number, locale: string): string {
  const { feet, inches } = toFeetAndInches(cm);
  const parts = [format(feet, 'foot', locale), ...(inches === 0 ? [] : [format(inches, 'inch', locale)])];
  return listFormat(locale, { type: 'unit', style: 'narrow' }).format(parts);
}

function format(value: number, unit: string, locale: string, maximumFractionDigits = 0): string {
  return numberFormat(locale, { style: 'unit', unit, maximumFractionDigits }).format(value);
}
