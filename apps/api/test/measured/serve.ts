/** What a measured server tells its parent: its address, and its CPU time whenever asked. */
export interface Ready {
  port: number;
  path: string;
  headers: Record<string, string>;
}
export interface CpuTime {
  cpu_us: number;
}

/** Sends its address, then answers every message of the parent with the CPU time used so far. */
export function answerCpuTime(ready: Ready): void {
  answer(ready, async () => ({}));
}

/** Sends `first` to the parent, then carries out its orders, one at a time; 'cpu' asks for the CPU time so far. */
export function answer<First extends object, Order>(first: First, carryOut: (order: Order) => Promise<object>): void {
  process.on('message', async (message: Order | 'cpu') => {
    if (message !== 'cpu') process.send?.(await carryOut(message));
    else {
      const { user, system } = process.cpuUsage();
      process.send?.({ cpu_us: user + system } satisfies CpuTime);
    }
  });
  process.send?.(first);
}
