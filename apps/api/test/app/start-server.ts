import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface StartOptions {
  /** Of `npm start`. */
  args?: string[];
  /** The account that runs it, which root may choose. */
  uid?: number;
  /** Runs before the server is stopped. */
  whileReady?: () => Promise<void>;
}

export interface ServerRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the server as an operator would and stops it once it has printed its address. */
export function startServer(
  settings: Record<string, string>,
  { args = [], uid, whileReady = async () => {} }: StartOptions = {},
): Promise<ServerRun> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DATABASE_URL: '', SECRET: '', PORT: '0', LOG_LEVEL: 'silent', ...settings };
    const child = spawn(process.execPath, [MAIN, ...args], { env, ...(uid === undefined ? {} : { uid, gid: uid }) });
    const ready = Promise.withResolvers<void>();
    void ready.promise
      .then(whileReady)
      .catch(reject)
      .finally(() => child.kill('SIGTERM'));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes('ready at')) ready.resolve();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
