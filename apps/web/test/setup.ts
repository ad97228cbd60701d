import 'fake-indexeddb/auto';
import { configure } from '@testing-library/dom';
import { fillBrowserGaps } from './browser-gaps.ts';
import { loadReact } from './load-react.ts';

/** Patience of `findBy…` and `waitFor`: less than a test may take, so that a test that waits in vain says for what. */
const PATIENCE_MS = 45_000;

fillBrowserGaps();
await loadReact();
configure({ asyncUtilTimeout: PATIENCE_MS });
