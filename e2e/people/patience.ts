/**
 * How long a test in a browser waits for an element or an action. The library's own limit for an element, 5 s, is too
 * short on a busy machine; it holds outside the journeys, unless a program passes this one.
 */
export const PATIENCE_MS = 45_000;
