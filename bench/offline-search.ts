import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { measureInBrowser } from '../tools/programs/measure-in-browser.ts';
import { quantile } from './load/print.ts';

const LONGEST_TASK_MS = 50;
const RESULTS_MS = 100;

/**
 * A search over 20,000 centers stored in Chromium, as on a phone without network: the longest task of the main thread
 * while the athlete types, and the time from a letter to its list.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const measured = await measureInBrowser<Measured>('e2e/measured/offline-search.ts', 'OFFLINE-SEARCH ');
  const { longest_task_ms, longest_wall_ms, results_ms } = measured;
  sheet.goal('longest task while typing', longest_task_ms, { at_most: LONGEST_TASK_MS }, ' ms');
  sheet.goal('letter to list, median', quantile(results_ms, 0.5), { at_most: RESULTS_MS }, ' ms');
  sheet.goal('letter to list, 95 %', quantile(results_ms, 0.95), { at_most: RESULTS_MS }, ' ms');
  console.log(
    `     ${results_ms.length} lists; the longest task by the clock ${longest_wall_ms.toFixed(0)} ms, of the processor as above`,
  );
  return sheet.figures;
}

interface Measured {
  /** CPU time: wall time would also count other work of the machine. */
  longest_task_ms: number;
  longest_wall_ms: number;
  results_ms: number[];
}
