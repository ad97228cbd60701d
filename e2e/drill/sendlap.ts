import { spawn } from 'node:child_process';
import { ROOT } from '../server/journey-environment.ts';

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the operator CLI in a process of its own, with these settings. */
export function runSendlap(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['apps/api/src/cli/main.ts', ...args], {
      cwd: ROOT,
      env: { ...process.env, LOG_LEVEL: 'silent', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk: Buffer) => {
        said[name] += chunk.toString();
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...said }));
  });
}

/** Throws unless the command ended with 0. */
export async function runSendlapWell(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runSendlap(args, env);
  if (code !== 0) throw new Error(`sendlap ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}
