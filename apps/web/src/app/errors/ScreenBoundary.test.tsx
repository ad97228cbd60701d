import { isValidElement, type ReactElement } from 'react';
import { renderToReadableStream } from 'react-dom/server.edge';
import { expect, test, vi } from 'vitest';
import { ChunkLoadError, lazyPage, type Page } from '../router/page.ts';
import { ErrorScreen } from './ErrorScreen.tsx';
import { ScreenBoundary } from './ScreenBoundary.tsx';

const { loadNamespaces } = vi.hoisted(() => ({ loadNamespaces: vi.fn(async () => {}) }));
vi.mock('#web/shared/i18n/i18n.ts', () => ({ loadNamespaces }));

function boundaryWith(error: unknown) {
  const boundary = new ScreenBoundary({ path: '/friends', children: 'all is well' });
  boundary.setState = (state) => Object.assign(boundary.state, state);
  boundary.state = error === null ? { error } : { ...ScreenBoundary.getDerivedStateFromError(error) };
  return boundary;
}

/** Renders a screen as the app does; rejects with the error that the screen throws. */
async function render(screen: Page): Promise<void> {
  const Screen = screen.component();
  const stream = await renderToReadableStream(<Screen />, { onError() {} });
  await stream.allReady;
}

test('any error but missing code is thrown to the boundary of the whole app', () => {
  expect(() => boundaryWith(new TypeError('broken')).render()).toThrow('broken');
});

test('a failed load of code shows an error in its place, until Retry or another screen', () => {
  const forget = vi.fn<() => void>();
  const retried = boundaryWith(new ChunkLoadError(forget, null));
  const shown = retried.render();
  if (!isValidElement<{ onRetry: () => void }>(shown)) throw new Error('nothing is shown');
  expect(shown.type).toBe(ErrorScreen);
  shown.props.onRetry();
  expect([retried.render(), forget.mock.calls.length]).toEqual(['all is well', 1]);

  const left = boundaryWith(new ChunkLoadError(forget, null));
  left.componentDidUpdate({ path: '/friends', children: null });
  expect(forget).toHaveBeenCalledOnce();
  left.componentDidUpdate({ path: '/dashboard', children: null });
  expect([left.render(), forget.mock.calls.length]).toEqual(['all is well', 2]);
});

test('a screen is not shown while its texts cannot be loaded', async () => {
  loadNamespaces.mockRejectedValueOnce(new Error('the texts did not come'));
  const screen = lazyPage(async () => () => <p>here</p>, ['friends']);
  const error = await render(screen).catch((problem: unknown) => problem);
  if (!(error instanceof ChunkLoadError)) throw error;
  error.reset();
  await render(screen);
  expect(loadNamespaces.mock.calls).toEqual([[['friends']], [['friends']]]);
});

test('code is requested once per try, however often its screen is rendered', async () => {
  const load = vi.fn(async () => () => <p>here</p>);
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  const screen = lazyPage(load);
  const error = await render(screen).catch((problem: unknown) => problem);
  await expect(render(screen)).rejects.toBe(error);
  expect(load).toHaveBeenCalledOnce();
  if (!(error instanceof ChunkLoadError)) throw error;
  error.reset();
  await render(screen);
  expect(load).toHaveBeenCalledTimes(2);
});

test('a retry does not wait for a preload that began before it, and that fails', async () => {
  const missing = new TypeError('Failed to fetch dynamically imported module');
  const preloading = Promise.withResolvers<() => ReactElement>();
  const load = vi
    .fn(async () => () => <p>here</p>)
    .mockRejectedValueOnce(missing)
    .mockReturnValueOnce(preloading.promise);
  const screen = lazyPage(load);
  const error = await render(screen).catch((problem: unknown) => problem);
  if (!(error instanceof ChunkLoadError)) throw error;
  const preloaded = screen.preload();
  error.reset();
  const retried = render(screen);
  preloading.reject(missing);
  await Promise.all([preloaded, retried]);
  expect(load).toHaveBeenCalledTimes(3);
});
