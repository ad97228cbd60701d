/** What a measured server tells its parent: where to knock, and its CPU time whenever it is asked. */
export interface Ready {
  port: number;
  path: string;
  headers: Record<string, string>;
}
export interface CpuTime {
  cpu_us: number;
}

/** Says where to knock, then answers every message of the parent with the CPU time used so far. */
export function answerCpuTime(ready: Ready): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu_us: user + system } satisfies CpuTime);
  });
  process.send?.(ready);
}
