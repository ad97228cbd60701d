import { toOneLine, toPrintable } from '#api/platform/start-error.ts';

const MAX_LENGTH = 400;

/** The result of one check. */
export interface Finding {
  check: string;
  /** `lacking`: worth a look, and the server works. `broken`: the server, or a part of it, does not work. */
  verdict: 'good' | 'lacking' | 'broken';
  /** One line; for a verdict other than good it names the setting, if one mends it. */
  detail: string;
}

/** Returns makers of findings of one check. */
export function findingsOf(check: string) {
  const make = (verdict: Finding['verdict']) => (detail: string) => ({
    ...{ check, verdict },
    detail: toPrintable(toOneLine(detail)).slice(0, MAX_LENGTH),
  });
  return { good: make('good'), lacking: make('lacking'), broken: make('broken') };
}

/** Returns the reason of a failed connection: its code, or the message of the error without one. */
export function reasonOf(error: unknown): string {
  const { cause = error } = Object(error) as { cause?: unknown };
  const { code, message } = Object(cause) as { code?: unknown; message?: unknown };
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'no answer in time';
  return typeof code === 'string' ? code : String(message ?? error);
}
