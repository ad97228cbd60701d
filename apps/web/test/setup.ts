import 'fake-indexeddb/auto';
import { configure } from '@testing-library/dom';
import { fillBrowserGaps } from './browser-gaps.ts';
import { loadReact } from './load-react.ts';

/** Timeout of `findBy…` and `waitFor`: shorter than a test's own, so that a failing wait names what it waited for. */
const PATIENCE_MS = 45_000;

fillBrowserGaps();
await loadReact();
configure({ asyncUtilTimeout: PATIENCE_MS });
