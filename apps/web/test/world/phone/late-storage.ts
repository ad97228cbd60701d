interface Change {
  at: number;
  key: string;
  before: string | undefined;
}

/** What a browser keeps in memory and writes to its disk later, in order: local storage, cookies. */
export function createLateStorage(now: () => number) {
  const values = new Map<string, string>();
  let changes: Change[] = [];

  function note(key: string): void {
    changes.push({ at: now(), key, before: values.get(key) });
  }

  return {
    getItem: (key: string): string | null => values.get(key) ?? null,
    setItem(key: string, value: string): void {
      note(key);
      values.set(key, value);
    },
    removeItem(key: string): void {
      note(key);
      values.delete(key);
    },
    /** The browser dies: what it changed in the last `lag_ms` never reached its disk. Returns whether anything is lost. */
    crash(lag_ms: number): boolean {
      const lost = changes.filter(({ at }) => at > now() - lag_ms);
      for (const { key, before } of lost.reverse()) {
        if (before === undefined) values.delete(key);
        else values.set(key, before);
      }
      changes = [];
      return lost.length > 0;
    },
  };
}

export type LateStorage = ReturnType<typeof createLateStorage>;
