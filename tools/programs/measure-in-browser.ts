import { spawn } from 'node:child_process';
import { buildIfChanged } from '../project/build.ts';
import { findOrInstallChromium } from '../project/chromium.ts';
import { ROOT } from '../project/project.ts';
import { sized } from './program-size.ts';

/** Builds the web app and finds a Chromium for a program that opens the app; sets CHROMIUM_PATH to its path. */
export async function prepareBrowser(): Promise<void> {
  if (!(await buildIfChanged())) throw new Error('the app could not be built');
  const chromium = await findOrInstallChromium();
  if ('missing' in chromium) throw new Error(`a Chromium is needed: ${chromium.missing}`);
  process.env.CHROMIUM_PATH = chromium.executablePath;
}

/** Runs a program of e2e/measured, which drives Chromium and prints a line of JSON after the mark; in a trial, its short form. */
export async function measureInBrowser<Measured extends object>(
  script: string,
  prefix: string,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Promise<Measured> {
  await prepareBrowser();
  const child = spawn(process.execPath, [script, ...args, ...sized([], ['--small'])], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const line = output.split('\n').find((text) => text.startsWith(prefix));
  if (code !== 0 || !line) throw new Error(`${script} ended with ${code}`);
  return JSON.parse(line.slice(prefix.length)) as Measured;
}
