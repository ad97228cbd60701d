import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a script in a process of its own, with the order as JSON in its argument. Returns its message; throws if it ends without one. */
export async function runForReport<Report extends object>(script: URL, order: object): Promise<Report> {
  const path = fileURLToPath(script);
  const child = fork(path, [JSON.stringify(order)]);
  let report: Report | undefined;
  child.on('message', (message) => {
    report = message as Report;
  });
  // Not its exit, which may be noticed before its last message.
  await once(child, 'disconnect');
  if (!report) throw new Error(`${path} ended without a report`);
  return report;
}
