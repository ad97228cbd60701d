const NAMES = ['setTimeout', 'clearTimeout'] as const;

/**
 * Loads React, which lives as long as the test file and keeps the timers that it finds: these lead to the timers of the
 * moment, so that it waits by the clock of the test that runs.
 */
export async function loadReact(): Promise<void> {
  const first = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const leading = Object.fromEntries(
    NAMES.map((name) => {
      const lead = (...args: unknown[]): unknown => {
        const now = globalThis[name] as unknown;
        return ((now === lead ? first[name] : now) as (...args: unknown[]) => unknown)(...args);
      };
      return [name, lead];
    }),
  );
  Object.assign(globalThis, leading);
  await import('react-dom/client');
  Object.assign(globalThis, first);
}
