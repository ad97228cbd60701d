import { expect, test } from 'vitest';
import { watchSendTriggers } from './send-triggers.ts';

interface Timer {
  delay_ms: number;
  run: () => void;
}

function watch() {
  const page = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState });
  let timers: Timer[] = [];
  let kicks = 0;
  const schedule = (delay_ms: number, run: () => void) => {
    const timer = { delay_ms, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  watchSendTriggers({ page, document, schedule }, () => void kicks++);
  return { page, document, timers: () => timers, kicks: () => kicks };
}

test('a page that goes out of view is no reason to send; one that comes into view is', () => {
  const { document, kicks } = watch();
  document.visibilityState = 'hidden';
  document.dispatchEvent(new Event('visibilitychange'));
  expect(kicks()).toBe(0);
  document.visibilityState = 'visible';
  document.dispatchEvent(new Event('visibilitychange'));
  expect(kicks()).toBe(1);
});

test('a page that the browser has kept sends when it is shown again; a new page has its own reasons', () => {
  const { page, kicks } = watch();
  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(kicks()).toBe(0);
  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(kicks()).toBe(1);
});

test('sending begins 1 s after the network came back, once however often it flickers [spec 9.preload.sync-delay]', () => {
  const { page, timers, kicks } = watch();
  for (let count = 0; count < 5; count += 1) page.dispatchEvent(new Event('online'));
  expect(kicks()).toBe(0);
  expect(timers().map((timer) => timer.delay_ms)).toEqual([1000]);
  timers()[0]?.run();
  expect(kicks()).toBe(1);
});
