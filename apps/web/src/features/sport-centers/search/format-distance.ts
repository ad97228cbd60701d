const METRES_UNTIL_KM = 1;
const DECIMALS_UNTIL_KM = 10;

/** A readable distance: '450 m', '3.2 km', '118 km', in the given language. */
export function formatDistance(distance_km: number, language: string): string {
  if (distance_km < METRES_UNTIL_KM) {
    const metres = Math.max(10, Math.round(distance_km * 100) * 10);
    if (metres < 1000) return format(metres, 'meter', language, 0);
  }
  return format(distance_km, 'kilometer', language, distance_km < DECIMALS_UNTIL_KM ? 1 : 0);
}

/** Cached: creating a formatter takes far longer than using it, and a list uses one for each row. */
const formats = new Map<string, Intl.NumberFormat>();

function format(value: number, unit: string, language: string, maximumFractionDigits: number): string {
  const name = `${language} ${unit} ${maximumFractionDigits}`;
  const formatter =
    formats.get(name) ?? new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits });
  formats.set(name, formatter);
  return formatter.format(value);
}
