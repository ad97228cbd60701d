import { type ChildProcess, spawn } from 'node:child_process';

/** Spins until its input is closed, which the parent's end also does: it never outlives a killed run. */
const BUSY_LOOP = `
  process.stdin.on('close', () => process.exit()).resume();
  const turn = () => {
    for (let i = 0; i < 1e7; i += 1);
    setImmediate(turn);
  };
  turn();
`;

const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Keeps this many processor cores busy until it is stopped or this process ends. */
export function startBusyLoops(count: number): { pids: (number | undefined)[]; stop: () => void } {
  const children: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', BUSY_LOOP], { stdio: ['pipe', 'ignore', 'ignore'] }),
  );
  const endChildren = (): void => {
    for (const child of children) child.kill('SIGKILL');
  };
  const exitOnSignal = (): void => process.exit(130);
  process.once('exit', endChildren);
  for (const signal of END_SIGNALS) process.once(signal, exitOnSignal);
  return {
    pids: children.map(({ pid }) => pid),
    stop() {
      endChildren();
      process.off('exit', endChildren);
      for (const signal of END_SIGNALS) process.off(signal, exitOnSignal);
    },
  };
}
