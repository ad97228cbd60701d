import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { ROOT } from '../project/project.ts';
import { startBusyLoops } from './busy-loops.ts';

function runs(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('busy loops run until they are stopped', async () => {
  const { pids, stop } = startBusyLoops(1);
  expect(pids.map(runs)).toEqual([true]);
  stop();
  await vi.waitFor(() => expect(pids.map(runs)).toEqual([false]));
});

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('busy loops end with a run that %s ends', async (signal) => {
  const module = pathToFileURL(`${ROOT}/tools/testing/busy-loops.ts`).href;
  const script = `
    const { startBusyLoops } = await import(${JSON.stringify(module)});
    console.log(String(startBusyLoops(1).pids[0]));
    setInterval(() => {}, 1000);
  `;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(owner.stdout, 'data')) as [Buffer];
  const pid = Number(printed.toString());
  expect(runs(pid)).toBe(true);
  const ended = once(owner, 'exit');
  owner.kill(signal);
  await ended;
  await vi.waitFor(() => expect(runs(pid)).toBe(false));
});
