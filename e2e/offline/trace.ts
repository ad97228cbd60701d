import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What happened in a life, in order: for the search of a reason. */
export interface Trace {
  /** Adds a line, with the time since the life began. */
  tell(line: string): void;
  write(file: string): Promise<void>;
}

export function openTrace(now: () => number = performance.now.bind(performance)): Trace {
  const began_at = now();
  const lines: string[] = [];
  return {
    tell(line) {
      lines.push(`${((now() - began_at) / 1_000).toFixed(2)} s ${line}`);
    },
    async write(file) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `${lines.join('\n')}\n`);
    },
  };
}
