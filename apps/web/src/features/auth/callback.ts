import { reasonOf, requestIdOf } from './describe-problem.ts';

/** How long a failure is shown before the way back to sign-in (spec, section 2). */
export const FAILURE_SHOWN_MS = 2000;

export type CallbackQuery = ReturnType<typeof readCallback>;

/** What the provider put into the address it sent the browser to. */
export function readCallback(search: string) {
  const query = new URLSearchParams(search);
  const read = (name: string) => query.get(name) || null;
  return {
    code: read('code'),
    state: read('state'),
    error: read('error'),
    error_description: read('error_description'),
    /** RFC 9207; our server wants it back when its provider sent it. */
    iss: read('iss'),
  };
}

export interface CallbackDeps {
  /** Takes code, state and all else out of the address: they must not stay in the history or in a shared link. */
  cleanAddress: () => void;
  exchange: (code: string, query: CallbackQuery) => Promise<void>;
  /** Replaces the screen, so that the way back does not lead here again. */
  go: (to: string) => void;
  onFailure: (error: unknown) => void;
}

/** Acts on what the provider answered (spec, section 2). Returns what to call when the screen is left. */
export function runCallback(query: CallbackQuery, deps: CallbackDeps): () => void {
  const toLogin = (reason: string, request_id: string | null = null) =>
    deps.go(`/login?error=${encodeURIComponent(reason)}${request_id === null ? '' : `&request=${request_id}`}`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = false;
  deps.cleanAddress();
  if (query.error_description) console.warn('sign-in', query.error, query.error_description);
  if (query.error) toLogin(query.error);
  else if (!query.code) toLogin('No authorization code received');
  else {
    deps.exchange(query.code, query).then(
      () => !left && deps.go('/'),
      (error: unknown) => {
        if (left) return;
        deps.onFailure(error);
        timer = setTimeout(() => toLogin(reasonOf(error), requestIdOf(error)), FAILURE_SHOWN_MS);
      },
    );
  }
  return () => {
    left = true;
    clearTimeout(timer);
  };
}
