/** Runs work after the page has loaded and the browser is idle (Safari has no idle callback). */
export function whenIdle(work: () => void): void {
  const wait = () =>
    'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: 4000 }) : setTimeout(work, 1500);
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
}
