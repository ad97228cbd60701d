/** The units that a user can choose, the metric one first. Only screens use them: the wire and the codes are metric. */
export const UNIT_CHOICES = {
  /** Distances on the map and in lists; short ones in metres or yards. */
  distance: ['km', 'mi'],
  /** Swum distances and pace; long ones in kilometres or miles. */
  swimming: ['m', 'yd'],
  /** Weight; the height then is in centimetres, or in feet and inches. */
  body: ['kg', 'lb'],
} as const;

export type UnitKind = keyof typeof UNIT_CHOICES;
export type Units = { [Kind in UnitKind]: (typeof UNIT_CHOICES)[Kind][number] };
export const UNIT_KINDS = ['distance', 'swimming', 'body'] as const satisfies readonly UnitKind[];

const METRIC: Units = { distance: 'km', swimming: 'm', body: 'kg' };
/** In Britain roads are in miles, pools in metres, and scales show kilograms. */
const UNITS_OF_REGIONS: Record<string, Units> = {
  US: { distance: 'mi', swimming: 'yd', body: 'lb' },
  GB: { distance: 'mi', swimming: 'm', body: 'kg' },
};

/** Returns the usual units of a region ('US', 'GB'); metric ones without a region. */
export function unitsOfRegion(region: string | undefined): Units {
  return UNITS_OF_REGIONS[region ?? ''] ?? METRIC;
}

// International yard and pound of 1959; all exact.
export const KM_PER_MILE = 1.609344;
export const M_PER_YARD = 0.9144;
export const M_PER_FOOT = 0.3048;
const KG_PER_POUND = 0.45359237;
const CM_PER_INCH = 2.54;
const INCHES_PER_FOOT = 12;
/** People swim whole pools, so their distances are multiples of it. */
const ROUND_YARDS = 5;

/**
 * Converts whole metres to whole yards. Several yards can be stored as the same metres: prefers the multiple of 5, so that
 * 625 yd stay 625 yd.
 */
export function toYards(metres: number): number {
  const round_yards = ROUND_YARDS * Math.round(metres / M_PER_YARD / ROUND_YARDS);
  return Math.round(round_yards * M_PER_YARD) === metres ? round_yards : Math.round(metres / M_PER_YARD);
}

/** Returns a swum distance in whole metres, as it is stored. */
export function toWholeMetres(value: number, unit: Units['swimming']): number {
  return Math.round(unit === 'm' ? value : value * M_PER_YARD);
}

/** Returns a swum distance (whole metres) as a whole number of the unit. */
export function fromWholeMetres(metres: number, unit: Units['swimming']): number {
  return unit === 'm' ? metres : toYards(metres);
}

/** Returns the largest whole number of the unit that is no more than these metres. */
export function floorToUnit(metres: number, unit: Units['swimming']): number {
  return Math.floor(unit === 'm' ? metres : metres / M_PER_YARD);
}

/** Returns kilograms to two decimals: fine enough for every tenth of a pound. */
export function toKilograms(pounds: number): number {
  return Number((pounds * KG_PER_POUND).toFixed(2));
}

/** Returns pounds to one decimal. */
export function toPounds(kilograms: number): number {
  return Number((kilograms / KG_PER_POUND).toFixed(1));
}

export function toCentimetres({ feet, inches }: FeetAndInches): number {
  return Number(((feet * INCHES_PER_FOOT + inches) * CM_PER_INCH).toFixed(2));
}

/** Whole feet, and the whole inches beyond them, 0 to 11. */
export interface FeetAndInches {
  feet: number;
  inches: number;
}

export function toFeetAndInches(centimetres: number): FeetAndInches {
  const inches = Math.round(centimetres / CM_PER_INCH);
  return { feet: Math.floor(inches / INCHES_PER_FOOT), inches: inches % INCHES_PER_FOOT };
}

/**
 * Returns the whole yards of a pool that was built in yards, null for one built in metres. A pool's length is a fact of the
 * pool, so a pool of 22.86 m is one of 25 yd for everyone, and one of 25 m is no pool of 27.34 yd.
 */
export function poolYards(metres: number): number | null {
  const yards = Math.round(metres / M_PER_YARD);
  const is_built_in_yards = !Number.isInteger(metres) && poolMetres(yards) === metres;
  return is_built_in_yards ? yards : null;
}

/** Returns the length in metres of a pool of `yards` yards, to the centimetre, as it is stored. */
export function poolMetres(yards: number): number {
  return Number((yards * M_PER_YARD).toFixed(2));
}
