import 'fake-indexeddb/auto';
import { configure } from '@testing-library/dom';
import { fillBrowserGaps } from './device/browser-gaps.ts';
import { loadReact } from './device/load-react.ts';

/** Timeout of `findBy…` and `waitFor`: shorter than a test's own, so that a failing wait names what it waited for. */
const WAIT_TIMEOUT_MS = 45_000;

fillBrowserGaps();
await loadReact();
configure({ asyncUtilTimeout: WAIT_TIMEOUT_MS });
