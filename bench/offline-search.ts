import { spawn } from 'node:child_process';
import { buildWebIfChanged } from '../tools/build-web.ts';
import { findOrInstallChromium } from '../tools/chromium.ts';
import { ROOT } from '../tools/project.ts';
import { printGoal, quantile } from './load/print.ts';

const MARK = 'OFFLINE-SEARCH ';
const LONGEST_TASK_MS = 50;
const RESULTS_MS = 100;

/**
 * A search over 20,000 centers kept in Chromium, as on a phone without network: the longest task of the main thread
 * while somebody types, and the time from a letter to its list. Throws when a goal is missed.
 */
export async function run(): Promise<void> {
  if (!(await buildWebIfChanged())) throw new Error('the web app could not be built');
  const chromium = await findOrInstallChromium();
  if ('missing' in chromium) throw new Error(`a Chromium is needed: ${chromium.missing}`);
  const { longest_task_ms, longest_wall_ms, results_ms } = await measure(chromium.executablePath);
  const holds = [
    printGoal('longest task while typing', longest_task_ms, { at_most: LONGEST_TASK_MS }, ' ms'),
    printGoal('letter to list, median', quantile(results_ms, 0.5), { at_most: RESULTS_MS }, ' ms'),
    printGoal('letter to list, 95 %', quantile(results_ms, 0.95), { at_most: RESULTS_MS }, ' ms'),
  ];
  console.log(
    `     ${results_ms.length} lists; the longest task by the clock ${longest_wall_ms.toFixed(0)} ms, of the processor as above`,
  );
  if (holds.includes(false)) throw new Error('a goal was missed');
}

interface Measured {
  /** Of the processor: the clock also counts what else the machine has to do. */
  longest_task_ms: number;
  longest_wall_ms: number;
  results_ms: number[];
}

async function measure(path: string): Promise<Measured> {
  const env = { ...process.env, CHROMIUM_PATH: path };
  const child = spawn(process.execPath, ['e2e/measured/offline-search.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const line = output.split('\n').find((text) => text.startsWith(MARK));
  if (code !== 0 || !line) throw new Error(`the measured program ended with ${code}`);
  return JSON.parse(line.slice(MARK.length));
}
