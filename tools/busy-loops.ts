import { type ChildProcess, spawn } from 'node:child_process';

/** Turns until its parent is gone, so that it never outlives a run that was killed. */
const BUSY_LOOP = 'const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e7; i += 1);';

const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Keeps this many processor cores busy until the returned function is called or this process ends. */
export function startBusyLoops(count: number): () => void {
  const children: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', BUSY_LOOP], { stdio: 'ignore' }),
  );
  const endChildren = (): void => {
    for (const child of children) child.kill('SIGKILL');
  };
  const endAll = (): void => process.exit(130);
  process.once('exit', endChildren);
  for (const signal of END_SIGNALS) process.once(signal, endAll);
  return () => {
    endChildren();
    process.off('exit', endChildren);
    for (const signal of END_SIGNALS) process.off(signal, endAll);
  };
}
