import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a program of e2e/measured, which drives the Chromium at this path and prints a line of JSON after the mark. */
export async function measureInBrowser<Measured extends object>(
  script: string,
  mark: string,
  chromium_path: string,
): Promise<Measured> {
  const env = { ...process.env, CHROMIUM_PATH: chromium_path };
  const child = spawn(process.execPath, [script], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const line = output.split('\n').find((text) => text.startsWith(mark));
  if (code !== 0 || !line) throw new Error(`${script} ended with ${code}`);
  return JSON.parse(line.slice(mark.length)) as Measured;
}
