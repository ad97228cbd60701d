import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterDelay } from '../../apps/api/test/delays.ts';

/** Longer than a server drains and finishes its requests. */
const STOP_TIMEOUT_MS = 30_000;
/** The last characters of a server's output that are stored. */
const MAX_OUTPUT = 100_000;

/** Stores the end of the output of processes. */
export function collectOutput(is_printing = false) {
  let text = '';
  return {
    text: () => text,
    clear() {
      text = '';
    },
    follow({ stdout, stderr }: ChildProcess): void {
      for (const [stream, own] of [[stdout, process.stdout] as const, [stderr, process.stderr] as const]) {
        stream?.on('data', (chunk: Buffer) => {
          text = (text + chunk.toString()).slice(-MAX_OUTPUT);
          if (is_printing) own.write(chunk);
        });
      }
    },
  };
}

/** Ends the process if it runs, by SIGKILL if it does not end within 30 s. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const in_time = await Promise.race([ended, afterDelay(STOP_TIMEOUT_MS, { ref: false })]);
  if (in_time) return;
  child.kill('SIGKILL');
  await ended;
}

/** Sets how far the clock of a process that loaded `shiftable-clock.mjs` is ahead. */
export function setShift(child: ChildProcess, shift_ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const listen = (message: object) => {
      if (!('shift_ms' in message)) return;
      child.off('message', listen);
      resolve();
    };
    child.on('message', listen);
    child.send({ shift_ms }, (error) => error && reject(error));
  });
}
