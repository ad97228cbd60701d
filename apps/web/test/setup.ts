import 'fake-indexeddb/auto';
import { configure, getConfig, prettyDOM } from '@testing-library/dom';
import { fillBrowserGaps } from './device/browser-gaps.ts';
import { loadReact } from './device/load-react.ts';

/** Timeout of `findBy…` and `waitFor`: shorter than a test's own, so that a failing wait names what it waited for. */
const WAIT_TIMEOUT_MS = 45_000;

/**
 * An error that draws the screen only when it is read: while a test waits, each look that finds nothing throws one, and
 * drawing took a sixth of the time of the tests.
 */
function newElementError(message: string | null, container: Element): Error {
  const error = new Error(message ?? '');
  error.name = 'TestingLibraryElementError';
  return Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => [message, prettyDOM(container)].filter(Boolean).join('\n\n'),
  });
}

fillBrowserGaps();
await loadReact();
configure({ asyncUtilTimeout: WAIT_TIMEOUT_MS, getElementError: newElementError });
// A look by role that finds nothing lists all roles of the screen, except in the library's own waits. In `vi.waitFor`
// too, it must not: the error draws the screen anyway. The setter is for the library, which switches lists on again.
const DIAGNOSTICS = '_disableExpensiveErrorDiagnostics';
Object.defineProperty(getConfig(), DIAGNOSTICS, { get: () => true, set() {}, configurable: true });
