interface FollowedLink {
  /** It is the `nth` of the screen's links to `href`. */
  href: string;
  nth: number;
  /** The path of the screen. */
  from: string;
}

/** Where the user left a screen. */
export interface LeftPlace {
  /** How far it was scrolled, px. */
  top: number;
  /** null: another way led on, or the page was loaded since. */
  link: FollowedLink | null;
}

/** What an entry of the browser's history remembers, also through a reload. */
interface EntryState {
  /** How many entries of the app are before it. */
  depth?: number;
  top?: number;
}

/** By depth. Not in the history, which outlives a sign-out: an address may name a person. */
const followed: (FollowedLink | null)[] = [];

/** The number of screens before this one in the app: 0 where the app was opened. */
export function readDepth(): number {
  return readState().depth ?? 0;
}

/** Where the user left this entry's screen; null on a first visit. */
export function readLeftPlace(): LeftPlace | null {
  const { top } = readState();
  return top === undefined ? null : { top, link: followed[readDepth()] ?? null };
}

/** The state of an entry that the app adds or replaces. */
export function entryState(depth: number): object {
  return { depth } satisfies EntryState;
}

/** Remembers where the current entry's screen is left, and by which link: `href` is the address of the next screen. */
export function saveLeftPlace(href: string | null): void {
  const links = href === null ? [] : findLinks(href);
  const nth = Math.max(0, links.indexOf(document.activeElement as HTMLElement));
  followed[readDepth()] = href !== null && links.length > 0 ? { href, nth, from: location.pathname } : null;
  history.replaceState({ ...readState(), top: scrollY } satisfies EntryState, '');
}

/** Another row of the list beside a screen takes its entry: remembers that row as the one followed from the list. */
export function saveOtherRow(href: string): void {
  const before = readDepth() - 1;
  const row = followed[before];
  if (row && href.startsWith(`${row.from}/`)) followed[before] = { ...row, href, nth: 0 };
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
