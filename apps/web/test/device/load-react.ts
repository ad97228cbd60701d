/**
 * Loads React, which lives as long as the test file and keeps the timers it finds on loading. It gets forwarders to the
 * current timers, so that React uses the clock of the running test. It is the build that is shipped: the one for
 * development does twice the work, for warnings that no test reads. Other libraries keep theirs for development, which
 * follow a clock that is replaced.
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
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  await import('react-dom/client');
  await import('react/jsx-runtime');
  process.env.NODE_ENV = NODE_ENV;
  Object.assign(globalThis, { setTimeout: startTimer, clearTimeout: stopTimer });
}
