/**
 * Loads React, which lives as long as the test file and keeps the timers it finds on loading. It gets forwarders to the
 * current timers, so that React uses the clock of the running test.
 */
export async function loadReact(): Promise<void> {
  const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
  const lead = {
    setTimeout: (...args: Parameters<typeof startTimer>) => current('setTimeout', startTimer)(...args),
    clearTimeout: (...args: Parameters<typeof stopTimer>) => current('clearTimeout', stopTimer)(...args),
  };
  // While React loads, the forwarders are the current timers themselves.
  function current<Name extends keyof typeof lead>(name: Name, first: (typeof globalThis)[Name]) {
    const { [name]: now } = globalThis;
    return (now as unknown) === lead[name] ? first : now;
  }
  Object.assign(globalThis, lead);
  await import('react-dom/client');
  Object.assign(globalThis, { setTimeout: startTimer, clearTimeout: stopTimer });
}
