/** A journey under quarantine as Playwright lists it; `terms`: the description of its annotation. */
export type ListedQuarantine = { name: string; terms: string };

/** Option of `tools/check.ts`: all journeys run after it, and their report is checked. */
export const BEFORE_JOURNEYS = '--before-journeys';

const MAX_QUARANTINED = 3;
const MAX_QUARANTINE_DAYS = 14;

/** A browser is slow, and red for nothing more often than all else: only what only a browser shows is a journey. */
const MAX_JOURNEYS = 60;

const DAY_MS = 86_400_000;

type Terms = { owner?: unknown; reason?: unknown; since?: unknown };

function readTerms(text: string): Terms {
  try {
    const terms: unknown = JSON.parse(text);
    return typeof terms === 'object' && terms !== null ? terms : {};
  } catch {
    return {};
  }
}

/** Returns the start of the day `YYYY-MM-DD`, UTC, ms epoch; undefined if the text is not a day. */
function readDay(text: unknown): number | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`);
  const is_real = !Number.isNaN(day) && new Date(day).toISOString().startsWith(text);
  return is_real ? day : undefined;
}

function findProblems({ name, terms }: ListedQuarantine, now_ms: number): string[] {
  const { owner, reason, since } = readTerms(terms);
  const problems = Object.entries({ owner, reason })
    .filter(([, value]) => typeof value !== 'string' || value.trim() === '')
    .map(([key]) => `${name}: the quarantine has no ${key}`);
  const day = readDay(since);
  if (day === undefined) return [...problems, `${name}: the quarantine needs the day since when, YYYY-MM-DD`];
  if (day > now_ms) problems.push(`${name}: the quarantine begins in the future, ${since}`);
  else if (now_ms - day > (MAX_QUARANTINE_DAYS + 1) * DAY_MS)
    problems.push(`${name}: the quarantine is overdue, ${MAX_QUARANTINE_DAYS} days after ${since}: mend or delete it`);
  return problems;
}

/** Returns why the check fails: too many journeys under quarantine, or missing, malformed or overdue terms. */
export function checkQuarantine(listed: ListedQuarantine[], now_ms: number): string[] {
  const problems = listed.flatMap((journey) => findProblems(journey, now_ms));
  if (listed.length > MAX_QUARANTINED)
    problems.push(`${listed.length} journeys are under quarantine, ${MAX_QUARANTINED} may be`);
  return problems;
}

/** Returns why the check fails: too many journeys. */
export function checkCount(count: number): string[] {
  return count > MAX_JOURNEYS ? [`there are ${count} journeys, ${MAX_JOURNEYS} may be: test it without a browser`] : [];
}
