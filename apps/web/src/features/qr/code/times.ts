const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** "1 h 30 min", or "45 min" under an hour; whole minutes, rounded down as the score counts them. */
export function formatElapsed(minutes: number, language: string): string {
  const hours = Math.floor(minutes / HOUR_MINUTES);
  const part = (value: number, unit: 'hour' | 'minute') =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  const rest = part(minutes % HOUR_MINUTES, 'minute');
  return hours === 0 ? rest : `${part(hours, 'hour')} ${rest}`;
}

export function formatMetres(metres: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'meter' }).format(metres);
}

/** Returns the number of local midnights between a moment and now: 0 today, 1 yesterday. */
export function daysAgo(then_ms: number, now_ms: number): number {
  const midnight = (ms: number) => {
    const date = new Date(ms);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  };
  return (midnight(now_ms) - midnight(then_ms)) / (24 * HOUR_MINUTES * MINUTE_MS);
}

export function formatDay(then_ms: number, language: string): string {
  return new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short' }).format(then_ms);
}
