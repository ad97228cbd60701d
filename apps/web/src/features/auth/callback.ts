import { requestIdOf } from '#web/shared/api/errors.ts';
import { PATHS } from '#web/shared/paths.ts';
import { callbackFailureReason } from './describe-problem.ts';

/** How long a failure is shown before the return to sign-in (spec, section 2). */
export const FAILURE_SHOWN_MS = 2000;

export type CallbackQuery = ReturnType<typeof parseCallbackQuery>;

/** Reads the parameters that the provider put into the redirect URL. */
export function parseCallbackQuery(search: string) {
  const query = new URLSearchParams(search);
  const read = (name: string) => query.get(name) || null;
  return {
    code: read('code'),
    state: read('state'),
    error: read('error'),
    error_description: read('error_description'),
    /** RFC 9207; our server needs it back if its provider sent it. */
    iss: read('iss'),
  };
}

export interface CallbackDeps {
  /**
   * Removes code, state and all other parameters from the URL: they must not stay in the history or in a shared link.
   */
  clearUrlQuery: () => void;
  exchange: (code: string, query: CallbackQuery) => Promise<void>;
  /** Replaces the history entry, so that going back does not return here. */
  replaceLocation: (to: string) => void;
  onFailure: (error: unknown) => void;
}

/** Handles the provider's response (spec, section 2). Returns a cleanup function for when the screen unmounts. */
export function runCallback(query: CallbackQuery, deps: CallbackDeps): () => void {
  const redirectToLogin = (reason: string, request_id: string | null = null) =>
    deps.replaceLocation(
      `${PATHS.login}?error=${encodeURIComponent(reason)}${request_id === null ? '' : `&request=${request_id}`}`,
    );
  let timer: ReturnType<typeof setTimeout> | undefined;
  let is_unmounted = false;
  deps.clearUrlQuery();
  if (query.error_description) console.warn('sign-in', query.error, query.error_description);
  if (query.error) redirectToLogin(query.error);
  else if (!query.code) redirectToLogin('No authorization code received');
  else {
    deps.exchange(query.code, query).then(
      () => !is_unmounted && deps.replaceLocation(PATHS.root),
      (error: unknown) => {
        if (is_unmounted) return;
        deps.onFailure(error);
        timer = setTimeout(() => redirectToLogin(callbackFailureReason(error), requestIdOf(error)), FAILURE_SHOWN_MS);
      },
    );
  }
  return () => {
    is_unmounted = true;
    clearTimeout(timer);
  };
}
