import type { Plugin } from 'vite';

const CONTRACT = /\/packages\/contract\/src\/[^?]+\.ts$/;
/** A call's own codes of refusals, as the formatter writes them. */
const ERRORS = /^ {2}errors: (\[[^\]]*\]|[\w.]+),\n/gm;

export const withoutErrors = (source: string) => source.replace(ERRORS, '');

/** The page of the API shows the refusals of each call; the app would carry them on its first route for nothing. */
export function leaveOutErrors(): Plugin {
  return {
    name: 'leave-out-errors',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      return CONTRACT.test(id) ? withoutErrors(code) : null;
    },
  };
}
