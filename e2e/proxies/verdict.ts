/** Attempts with an address of its own each, from one client. */
export const SPOOFED_ATTEMPTS = 24;
/** The server's limit of attempts from an address within a minute. */
const LIMIT = 20;
export const LATEST_MS = 2_000;

/** What a visitor and the operator saw of a set-up. */
export interface Observation {
  /** The line by which the server refused to start. */
  refusal?: string;
  /** Undefined: it did not arrive. */
  sign_in?: boolean;
  stream_ms?: number | undefined;
  step_ms?: number | undefined;
  message_ms?: number | undefined;
  /** After a time-out of the proxy: whether the stream was cut, and the next message arrived all the same. */
  resumed?: 'cut' | 'held' | 'lost';
  export?: boolean;
  /** How many attempts with a false address each passed the limit. */
  passed?: number;
  /** Whether another client is counted apart from the one that used up the limit. */
  has_own_count?: boolean;
  /** Lines of doctor about addresses that are not ok. */
  doctor: string[];
  /** Lines of the log about addresses. */
  log: string[];
}

/**
 * `works`: all of it, and limits count each client by its address. `named`: doctor says in one line what to change, and
 * so does the log, once. `refused`: the server does not start, with one line. `silent`:
 * something does not work, and no line says why.
 */
export type Verdict = 'works' | 'named' | 'refused' | 'silent';

export function judge(seen: Observation): Verdict {
  if (seen.refusal !== undefined) return 'refused';
  const { doctor, log } = seen;
  if (doctor.length === 0 && log.length === 0) return isUsable(seen) && isCountedRight(seen) ? 'works' : 'silent';
  const is_logged_once = log.length > 0 && new Set(log).size === log.length;
  return doctor.length > 0 && is_logged_once ? 'named' : 'silent';
}

function isUsable(seen: Observation): boolean {
  const times = [seen.stream_ms, seen.step_ms, seen.message_ms];
  const is_live = times.every((ms) => ms !== undefined && ms <= LATEST_MS) && seen.resumed !== 'lost';
  return is_live && seen.sign_in === true && seen.export === true;
}

function isCountedRight({ passed, has_own_count }: Observation): boolean {
  return passed !== undefined && passed <= LIMIT && has_own_count === true;
}

/** Returns why a set-up did not end as it has to, if so. */
export function findFault(
  expected: { verdict: Verdict; words?: RegExp; log_words?: RegExp },
  seen: Observation,
): string | undefined {
  const verdict = judge(seen);
  if (verdict !== expected.verdict) return `${verdict}, and not ${expected.verdict}`;
  const { words, log_words } = expected;
  const lines = seen.refusal === undefined ? seen.doctor : [seen.refusal];
  if (words && !lines.some((line) => words.test(line))) return `no line says ${words}`;
  if (log_words && !seen.log.some((line) => log_words.test(line))) return `no line of the log says ${log_words}`;
  return undefined;
}
