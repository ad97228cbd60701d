import { expect, test } from 'vitest';
import { createListeners, createStore } from './store.ts';

test('a listener gets every value until it is unsubscribed', () => {
  const listeners = createListeners<[string]>();
  const heard: string[] = [];
  expect(listeners.isEmpty()).toBe(true);
  const unsubscribe = listeners.subscribe((value) => heard.push(value));
  expect(listeners.isEmpty()).toBe(false);
  listeners.notify('one');
  unsubscribe();
  listeners.notify('two');
  expect([heard, listeners.isEmpty()]).toEqual([['one'], true]);
});

test('a listener reads the new state, and is called for an equal one, too', () => {
  const store = createStore(0);
  const read: number[] = [];
  store.subscribe(() => read.push(store.getState()));
  store.setState(1);
  store.setState(1);
  expect(read).toEqual([1, 1]);
});
