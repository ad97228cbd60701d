import type { LoadLimits } from '#api/http/listening/load-shedding.ts';

/** Nothing is refused: a slow machine is no overload. */
export const NO_LOAD_LIMITS: LoadLimits = {
  requests: Number.POSITIVE_INFINITY,
  requests_of_user: Number.POSITIVE_INFINITY,
  ordinary_ms: 0,
  essential_ms: 0,
};
