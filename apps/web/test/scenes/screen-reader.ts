import { getRoles, screen, within } from '@testing-library/dom';
import { expect, onTestFinished } from 'vitest';
import type { Phone } from '../open-app.ts';

/** More stops than any screen has; a focus that is caught in a part of the screen does not go on for ever. */
const MOST_STOPS = 80;
const LIVE = ['[role=status]', '[role=alert]', '[role=log]', '[aria-live=polite]', '[aria-live=assertive]']
  .map((region) => `${region}:not([aria-live=off])`)
  .join();

export interface ScreenReader {
  /** Goes by the Tab key to a control, and presses a key there. Every stop on the way must have a role and a name. */
  press(role: string, name: string | RegExp, key?: string): Promise<void>;
  /** Types into the field with this name, after going there by the Tab key. */
  type(name: string | RegExp, text: string): Promise<void>;
  /** Waits until a live region has said this. */
  hears(text: RegExp): Promise<void>;
  /** Returns all that live regions have said. */
  heard(): string[];
}

/** The app as a person uses it who sees nothing: by keyboard alone, and by what a screen reader says. */
export function useScreenReader({ user }: Phone): ScreenReader {
  const said: string[] = [];
  const last = new WeakMap<Element, string>();
  const listening = new MutationObserver(() => {
    for (const part of [...document.querySelectorAll(LIVE)].flatMap(partsSaidApart)) {
      const text = part.textContent?.trim() ?? '';
      if (text !== '' && last.get(part) !== text) said.push(text);
      last.set(part, text);
    }
  });
  listening.observe(document, { subtree: true, childList: true, characterData: true });
  onTestFinished(() => listening.disconnect());

  async function goTo(role: string, name: string | RegExp): Promise<void> {
    await screen.findByRole(role, { name });
    const stops: string[] = [];
    while (stops.length < MOST_STOPS) {
      if (screen.queryAllByRole(role, { name }).some((element) => element === document.activeElement)) return;
      await user.tab();
      stops.push(describeStop());
    }
    throw new Error(`the Tab key does not reach the ${role} ${name}; it went over ${stops.join(', ')}`);
  }

  return {
    async press(role, name, key = '{Enter}') {
      await goTo(role, name);
      await user.keyboard(key);
    },
    async type(name, text) {
      await goTo('textbox', name);
      await user.keyboard(text);
    },
    heard: () => [...said],
    hears: (text) => expect.poll(() => said.join('\n')).toMatch(text),
  };
}

/** Of a status that is not atomic, a screen reader says only the element that is new or has changed. */
function partsSaidApart(region: Element): Element[] {
  return region.matches('[role=status][aria-atomic=false]') ? [...region.children] : [region];
}

/** What a screen reader says of the focused element. Fails if that is nothing. */
function describeStop(): string {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return 'the page';
  const parent = activeElement.parentElement ?? document.body;
  const role = Object.keys(getRoles(activeElement)).find((name) =>
    getRoles(activeElement)[name]?.includes(activeElement),
  );
  expect(role, `a role of ${activeElement.outerHTML}`).toBeDefined();
  const named = within(parent).queryAllByRole(String(role), { name: /\S/ });
  expect(named, `a name of ${activeElement.outerHTML}`).toContain(activeElement);
  return `${role} ${activeElement.getAttribute('aria-label') ?? activeElement.textContent?.trim()}`;
}
