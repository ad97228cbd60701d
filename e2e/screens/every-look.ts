import { expect, type Page } from '@playwright/test';
import { PICTURES, report } from '../browser/sights.ts';
import { PATIENCE_MS } from '../people/patience.ts';
import { findCutTexts } from './cut-texts.ts';
import { findOverlappingTexts } from './overlapping-texts.ts';

const PHONE = { width: 390, height: 844 };
const SIZES: Record<string, { width: number; height: number }> = {
  '320': { width: 320, height: 640 },
  '390': PHONE,
  '820': { width: 820, height: 1180 },
  '1280': { width: 1280, height: 800 },
  /** A window of 1280 × 1024 px at a zoom of 400 %. */
  zoomed: { width: 320, height: 256 },
};
const LARGE_TEXT_SIZES: Record<string, { width: number; height: number }> = {
  'large-text': PHONE,
  'large-text-320': { width: 320, height: 640 },
};
/** Hardly noticeable. Core Web Vitals call 0.1 good. */
const MAX_LAYOUT_SHIFT = 0.02;
/** By then late parts of a screen have come, even on a machine that is busy with a whole run. */
const SETTLED_MS = 2_000;

/**
 * Looks at a screen or a sheet at each width, at a zoom of 400 % and with text of 200 %: nothing is wider than the
 * window, no control lies under another part, no text is cut or lies on another, and a picture is taken. Leaves the page
 * at the phone's width.
 */
export async function lookAtEveryWidth(page: Page, name: string, note = report): Promise<void> {
  for (const [label, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    note(`${name}-${label}`, await lookAtLayout(page, `${name}-${label}`));
  }
  await page.evaluate(setTextSize, '200%');
  for (const [label, size] of Object.entries(LARGE_TEXT_SIZES)) {
    await page.setViewportSize(size);
    note(`${name}-${label}`, await lookAtLayout(page, `${name}-${label}`));
  }
  await page.setViewportSize(PHONE);
  await page.evaluate(setTextSize, '');
  await waitForLayout(page);
}

async function lookAtLayout(page: Page, name: string): Promise<string[]> {
  await waitForLayout(page);
  // Some parts, such as a bubble, follow the new size a moment later.
  const began_at = Date.now();
  const findProblems = async () => [
    ...(await page.evaluate(findLayoutProblems)),
    ...(await page.evaluate(findCutTexts)),
    ...(await page.evaluate(findOverlappingTexts)),
  ];
  let problems = await findProblems();
  while (problems.length > 0 && Date.now() - began_at < SETTLED_MS) {
    await waitForLayout(page);
    problems = await findProblems();
  }
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
  return problems;
}

/** Opens the same address twice in a new tab, without and with the browser's cache, and measures how far it jumps. */
export async function checkLayoutShiftOnLoad(page: Page, name: string, note = report): Promise<void> {
  const tab = await page.context().newPage();
  try {
    for (const cache of ['cold', 'warm']) {
      if (cache === 'cold') {
        const devtools = await page.context().newCDPSession(tab);
        await devtools.send('Network.clearBrowserCache');
        await devtools.detach();
      }
      await tab.goto(page.url());
      await expect(tab.getByRole('heading', { level: 1, includeHidden: true }).first()).toBeVisible({
        timeout: PATIENCE_MS,
      });
      const { shift, moved } = await tab.evaluate(readLayoutShift, SETTLED_MS);
      const is_calm = shift <= MAX_LAYOUT_SHIFT;
      note(`${name}-${cache}`, is_calm ? [] : [`jumps by ${shift.toFixed(3)}: ${moved.join(', ')}`]);
    }
  } finally {
    await tab.close();
  }
}

/** Sets the size of all text; '' resets it. Runs in the page. */
export function setTextSize(size: string): void {
  document.documentElement.style.fontSize = size;
  // As a browser's own zoom of the text does.
  dispatchEvent(new Event('resize'));
}

/** Waits until a new size has been laid out and drawn. */
export async function waitForLayout(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** Returns the flaws of the layout. Runs in the page. */
export function findLayoutProblems(): string[] {
  const CENTER = 0.5;
  /** Shares of the height. A control counts as covered only if it is covered at all of them. */
  const PLACES = [0.2, 0.35, 0.65, 0.8];
  const CONTROLS = 'a[href], button, input, select, textarea, [role=button], [role=tab], [role=switch], [role=option]';
  const nameOf = (element: Element): string => {
    const text = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
    return `${element.tagName.toLowerCase()} "${text.slice(0, 40)}"`;
  };
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], [aria-hidden=true]');
  const isOwn = (control: Element, hit: Element | null): boolean =>
    hit !== null && (control.contains(hit) || hit.closest('label')?.control === control);
  /** Scrolls the page until the control is at this share of its height. Returns what a tap there would hit. */
  const lookAt = (control: Element, share: number): Element | 'own' | 'hidden' | null => {
    // A link that wraps has a box for each line.
    const boxOf = () => control.getClientRects()[0] ?? control.getBoundingClientRect();
    const { top: before, height: own_height } = boxOf();
    if (share !== CENTER) scrollBy({ top: before + own_height / 2 - innerHeight * share, behavior: 'instant' });
    const { left, top: up, width, height } = boxOf();
    // Such as a skip link, which is shown only while it is focused.
    if (width < 5 || height < 5) return 'hidden';
    const hit = document.elementFromPoint(left + width / 2, up + height / 2);
    return isOwn(control, hit) ? 'own' : hit;
  };
  const sheets = [...document.querySelectorAll('[role=dialog][aria-modal=true], dialog[open]')].filter(isShown);
  const scope = sheets.at(-1) ?? document;
  const { scrollWidth, clientWidth } = document.documentElement;
  const problems = scrollWidth > clientWidth ? [`is ${scrollWidth} px wide in ${clientWidth} px`] : [];
  // A sheet or a column that scrolls down must not need a scroll to the side too.
  for (const part of scope.querySelectorAll('[class*=overflow-y-auto]')) {
    if (isShown(part) && part.scrollWidth > part.clientWidth + 1)
      problems.push(`a part is ${part.scrollWidth} px wide in ${part.clientWidth} px`);
  }
  const top = scrollY;
  for (const control of scope.querySelectorAll(CONTROLS)) {
    if (!isShown(control) || control.matches(':disabled')) continue;
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const found = lookAt(control, CENTER);
    if (found === 'hidden' || found === 'own' || PLACES.some((place) => lookAt(control, place) === 'own')) continue;
    problems.push(`${nameOf(control)} is under ${found ? nameOf(found) : 'nothing: out of sight'}`);
  }
  scrollTo({ top, behavior: 'instant' });
  return problems;
}

/** Returns the sum of the shifts since the page was opened, and what moved. Runs in the page. */
export async function readLayoutShift(settled_ms: number): Promise<{ shift: number; moved: string[] }> {
  interface Shift extends PerformanceEntry {
    value: number;
    sources?: { node?: Node | null }[];
  }
  const shifts: Shift[] = [];
  new PerformanceObserver((list) => shifts.push(...(list.getEntries() as Shift[]))).observe({
    type: 'layout-shift',
    buffered: true,
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun_at = performance.timeOrigin + performance.now();
  const wait = () =>
    performance.timeOrigin + performance.now() - begun_at > settled_ms ? resolve() : requestAnimationFrame(wait);
  wait();
  await promise;
  const moved = shifts.flatMap(({ value, sources = [] }) => {
    const [first] = sources.flatMap(({ node }) => (node instanceof Element ? [node] : []));
    return [`${value.toFixed(3)} ${first ? first.outerHTML.slice(0, 80) : '?'}`];
  });
  return { shift: shifts.reduce((sum, { value }) => sum + value, 0), moved };
}
