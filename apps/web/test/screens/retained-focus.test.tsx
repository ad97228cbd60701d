import { screen, waitFor } from '@testing-library/dom';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';

function Part({ name, sheet = false, children }: { name: string; sheet?: boolean; children: ReactNode }) {
  const part = useRetainedFocus<HTMLElement>();
  return (
    <section ref={part} tabIndex={-1} aria-label={name} {...(sheet ? { 'data-sheet': true } : {})}>
      {children}
    </section>
  );
}

/** Shows a page. Returns the function that shows the next one. */
function show(first: ReactNode): (page: ReactNode) => void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const render = (page: ReactNode) => flushSync(() => root.render(page));
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  render(first);
  return render;
}

const button = (name: string) => screen.getByRole('button', { name });
const expectFocus = (name: string) =>
  waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(name));
/** An observer of changes that come later has run by then. */
const passChange = () =>
  new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body, { childList: true });
    document.body.append(document.createElement('i'));
    document.querySelector('body > i')?.remove();
  });

test('the part around a removed part takes the focus, and not a part beside it', async () => {
  const page = (inner: ReactNode) => (
    <>
      <Part name="beside">
        <button type="button">other</button>
      </Part>
      <Part name="outer">{inner}</Part>
    </>
  );
  const render = show(
    page(
      <Part name="inner">
        <button type="button">row</button>
      </Part>,
    ),
  );
  button('other').focus();
  button('row').focus();
  render(page(null));
  await expectFocus('outer');
});

test('the sheet below takes the focus of a closed sheet whose opener is gone, the page that of the last one', async () => {
  const page = (row: ReactNode, first: ReactNode, second: ReactNode) => (
    <>
      <Part name="page">{row}</Part>
      {first}
      {second}
    </>
  );
  const row = <button type="button">row</button>;
  const sheet = (name: string, inside: ReactNode) => (
    <Part name={name} sheet key={name}>
      {inside}
    </Part>
  );
  const done = sheet('second', <button type="button">done</button>);
  const render = show(page(row, null, null));
  button('row').focus();
  render(page(row, sheet('first', <button type="button">more</button>), null));
  button('more').focus();
  render(page(null, sheet('first', <button type="button">more</button>), done));
  button('done').focus();
  render(page(null, sheet('first', null), done));
  expect(document.activeElement).toBe(button('done'));
  render(page(null, sheet('first', null), null));
  await expectFocus('first');
  render(page(null, null, null));
  await expectFocus('page');
});

test('a part whose field was left without another focus does not take it after a tap beside it', async () => {
  const page = (row: string) => (
    <>
      <Part name="form">
        <input aria-label="field" />
        {row}
      </Part>
      <p>text</p>
    </>
  );
  const render = show(page(''));
  const field = screen.getByRole('textbox', { name: 'field' });
  field.focus();
  // As the key of a phone's keyboard does that hides it.
  field.blur();
  screen.getByText('text').dispatchEvent(new Event('pointerdown', { bubbles: true }));
  render(page('late row'));
  await passChange();
  expect(document.activeElement).toBe(document.body);
});
