interface ConcurrencyLimits {
  at_once: number;
  waiting: number;
}

/** Works beyond the limits; none of them began. */
class QueueFull extends Error {}

/** Runs some works at a time; others wait for their turn. Throws QueueFull if too many wait. */
export function limitConcurrency(max: ConcurrencyLimits): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max.at_once && waiting.length >= max.waiting) throw new QueueFull('too many wait');
    if (running >= max.at_once) await new Promise<void>((start) => waiting.push(start));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
