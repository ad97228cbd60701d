/** Where the user left a screen: how far it was scrolled, and which link was followed. */
export interface LeftPlace {
  /** px */
  top: number;
  /** The `nth` of the links to `href`; null: another way led on. */
  link: { href: string; nth: number } | null;
}

/** What an entry of the browser's history remembers, also through a reload. */
interface EntryState {
  /** How many entries of the app are before it. */
  depth?: number;
  left?: LeftPlace;
}

/** The number of screens before this one in the app: 0 where the app was opened. */
export function readDepth(): number {
  return readState().depth ?? 0;
}

/** Where the user left this entry's screen; null on a first visit. */
export function readLeftPlace(): LeftPlace | null {
  return readState().left ?? null;
}

/** The state of an entry that the app adds or replaces. */
export function entryState(depth: number): object {
  return { depth } satisfies EntryState;
}

/** Remembers in the current entry where its screen was left, and by which link: `href` is the address of the next. */
export function saveLeftPlace(href: string | null): void {
  const links = href === null ? [] : findLinks(href);
  const nth = Math.max(0, links.indexOf(document.activeElement as HTMLElement));
  const left: LeftPlace = { top: scrollY, link: href !== null && links.length > 0 ? { href, nth } : null };
  history.replaceState({ ...readState(), left } satisfies EntryState, '');
}

/** The links of the screen to an address. */
export function findLinks(href: string): HTMLElement[] {
  return findShown('main a[href]').filter((link) => link.getAttribute('href') === href);
}

/** While the code of the next screen loads, React keeps the last one, hidden. */
export function findShown(selector: string): HTMLElement[] {
  const found = [...document.querySelectorAll<HTMLElement>(selector)];
  return found.filter((element) => element.closest('[style*="display: none"]') === null);
}

function readState(): EntryState {
  const { state }: { state: unknown } = history;
  return typeof state === 'object' && state !== null ? state : {};
}
