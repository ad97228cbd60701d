import { screen } from '@testing-library/dom';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useBackOnline, useOnline } from '#web/shared/device/online.ts';
import { setOnline } from '../device/device.ts';

function Waiting({ onBack }: { onBack: () => void }) {
  useBackOnline(onBack);
  return <p>{useOnline() ? 'connected' : 'waiting'}</p>;
}

/** Shows the component and calls `whenShown` after its first paint, before its effects. */
function show(onBack: () => void, whenShown: () => void): void {
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const observer = new MutationObserver(() => {
    observer.disconnect();
    whenShown();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  startTransition(() => root.render(<Waiting onBack={onBack} />));
  onTestFinished(() => {
    root.unmount();
    setOnline(true);
  });
}

test('a network that returns between the first paint and the effects is not missed', async () => {
  setOnline(false);
  const onBack = vi.fn<() => void>();
  show(onBack, () => setOnline(true));
  await vi.waitFor(() => expect(onBack).toHaveBeenCalledOnce());
});

test('a network that was there all the time, or is lost, has not returned', async () => {
  const onBack = vi.fn<() => void>();
  show(onBack, () => {});
  await screen.findByText('connected');
  setOnline(false);
  await screen.findByText('waiting');
  expect(onBack).not.toHaveBeenCalled();
  setOnline(true);
  await vi.waitFor(() => expect(onBack).toHaveBeenCalledOnce());
});
