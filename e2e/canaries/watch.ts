import type { BrowserContext, Page } from '@playwright/test';
import { waitUntilQuiet, watchTab } from '../browser/tab.ts';

/** What a canary did, or became. */
export interface Finding {
  how: 'ran' | 'requested' | 'dialog' | 'left the app' | 'new window' | 'became markup' | 'became a link';
  /** The screen. */
  where: string;
  /** Holds the mark of the canary, if it is known. */
  what: string;
}

/** What a page shows. */
interface Sight {
  text: string;
  /** Addresses of links. */
  targets: string[];
}

/** A browser that counts what canaries do on its page. */
export interface WatchedPage {
  page: Page;
  findings: Finding[];
  /** Opens an address of the server and waits until it has all its data. */
  open(path: string): Promise<void>;
  /** Presses suspicious links. Returns the text that the page shows, or that of these of its parts. */
  inspect(part?: string): Promise<Sight>;
}

/** A busy machine takes its time. */
const NAVIGATION_TIMEOUT_MS = 120_000;

/** Calls `hit`, and requests below `/canary/`, are made by canaries only. `where`: names the screens in findings. */
export async function watchPage(context: BrowserContext, origin: string, who: string): Promise<WatchedPage> {
  const findings: Finding[] = [];
  let path = '';
  const note = (how: Finding['how'], what: string) => void findings.push({ how, where: `${who} ${path}`, what });
  await context.exposeBinding('hit', (_, mark: number) => note('ran', `hit(${mark})`));
  const page = await context.newPage();
  page.setDefaultNavigationTimeout(NAVIGATION_TIMEOUT_MS);
  const tab = watchTab(page);
  context.on('page', (opened) => note('new window', opened.url()));
  context.on('request', (request) => {
    const url = new URL(request.url());
    const is_foreign = url.protocol.startsWith('http') && url.origin !== origin;
    if (is_foreign || url.pathname.includes('/canary/')) note('requested', request.url());
  });
  page.on('dialog', (dialog) => {
    note('dialog', dialog.message());
    void dialog.dismiss();
  });
  page.on('framenavigated', (frame) => {
    const url = frame.url();
    if (frame === page.mainFrame() && !url.startsWith(origin) && url !== 'about:blank') note('left the app', url);
  });
  return {
    page,
    findings,
    async open(opened) {
      path = opened;
      await page.goto(origin + opened);
      const heading = page.locator('h1').first();
      await heading.waitFor({ timeout: NAVIGATION_TIMEOUT_MS }).catch(async () => {
        throw new Error(`${who} sees no heading on ${opened}: ${(await page.content()).slice(0, 2000)}`);
      });
      await waitUntilQuiet([tab]);
    },
    async inspect(part = 'body') {
      const { markup, links, ...sight } = await page.evaluate(inspectPage, part);
      for (const what of markup) note('became markup', what);
      for (const what of links) note('became a link', what);
      return sight;
    },
  };
}

/** Runs in the page. */
function inspectPage(part: string): Sight & { markup: string[]; links: string[] } {
  const CANARY = /hit\(\d|canary\/\d/;
  const SAFE_LINK = /^(https?|mailto|tel|geo):$/;
  const ACTIVE = 'script, style, iframe, object, embed, base, meta[http-equiv]';
  const markup: string[] = [];
  const links: string[] = [];
  const targets: string[] = [];
  for (const element of document.querySelectorAll('*')) {
    const head = element.outerHTML.slice(0, 300);
    const has_handler = element.getAttributeNames().some((name) => name.startsWith('on') || name === 'srcdoc');
    const loads = ['src', 'style', 'data', 'action', 'formaction'].some((name) =>
      CANARY.test(element.getAttribute(name) ?? ''),
    );
    if (has_handler || loads || (element.matches(ACTIVE) && CANARY.test(element.outerHTML))) markup.push(head);
    if (element instanceof HTMLAnchorElement && element.hasAttribute('href')) {
      targets.push(element.href);
      if (!SAFE_LINK.test(element.protocol)) links.push(head);
      if (has_handler || !SAFE_LINK.test(element.protocol)) element.click();
    }
  }
  const parts = [...document.querySelectorAll<HTMLElement>(part)];
  const fields = parts.flatMap((one) => [...one.querySelectorAll<HTMLInputElement>('input, textarea')]);
  const title = part === 'body' ? document.title : '';
  const text = [title, ...parts.map((one) => one.innerText), ...fields.map(({ value }) => value)].join('\n');
  return { text, targets, markup, links };
}
