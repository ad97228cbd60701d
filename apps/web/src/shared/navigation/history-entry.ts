interface FollowedLink {
  /** It is the `nth` of the screen's links to `href`. */
  href: string;
  nth: number;
  /** The path of the screen. */
  from: string;
}

/** How far a screen was scrolled when it was left, and by which link. */
export interface ScrollPosition {
  /** px */
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
/** By depth: the list at `from` got another view or filter beside the next screen. */
const changed_queries: ({ from: string; query: string } | null)[] = [];

/** The number of screens before this one in the app: 0 where the app was opened. */
export function readDepth(): number {
  return readState().depth ?? 0;
}

/** How far this entry's screen was scrolled when it was left; null on a first visit. */
export function readScrollPosition(): ScrollPosition | null {
  const { top } = readState();
  return top === undefined ? null : { top, link: followed[readDepth()] ?? null };
}

/** The state of an entry that the app adds or replaces. */
export function entryState(depth: number): object {
  return { depth } satisfies EntryState;
}

/** Remembers how far the current entry's screen is scrolled, and the link to the next screen, at `href`. */
export function saveScrollPosition(href: string | null): void {
  const links = href === null ? [] : findLinks(href);
  const nth = Math.max(0, links.indexOf(document.activeElement as HTMLElement));
  changed_queries[readDepth()] = null;
  followed[readDepth()] = href !== null && links.length > 0 ? { href, nth, from: location.pathname } : null;
  history.replaceState({ ...readState(), top: scrollY } satisfies EntryState, '');
}

/**
 * The entry of a screen beside its list is taken by another row of that list, or by another view or filter of it:
 * remembers both for the list.
 */
export function saveOtherRow(to: string): void {
  const before = readDepth() - 1;
  const row = followed[before];
  if (!row) return;
  const { pathname, search } = new URL(to, location.href);
  if (!pathname.startsWith(`${row.from}/`)) return;
  followed[before] = { ...row, href: pathname + search, nth: 0 };
  changed_queries[before] = { from: row.from, query: search };
}

/** Back at a list: gives it the view and filter that it got beside the screen that was left. */
export function restoreQuery(): void {
  const changed = changed_queries[readDepth()];
  changed_queries[readDepth()] = null;
  if (changed?.from !== location.pathname) return;
  history.replaceState(history.state, '', changed.from + changed.query);
}

/**
 * Leaves a screen whose thing is gone for the list at `path` that it was chosen from. Returns false if Back leads
 * elsewhere.
 */
export function backToList(path: string): boolean {
  const before = readDepth() - 1;
  if (followed[before]?.from !== path) return false;
  followed[before] = null; // The row is gone, too.
  history.back();
  return true;
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
