import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { recordUnexpectedErrors } from '../browser/console.ts';
import { launchOptions } from '../browser/fixtures.ts';
import { findCutTexts } from '../screens/cut-texts.ts';
import { findLayoutProblems, readLayoutShift } from '../screens/every-look.ts';
import { findOverlappingTexts } from '../screens/overlapping-texts.ts';

/** Printed as one line of JSON: by the name of a page, the flaws found there. */
export type PlantedLooks = Record<string, string[]>;

const ELLIPSIS = 'overflow: hidden; text-overflow: ellipsis; white-space: nowrap';
const TALL = '<div style="height: 2000px">a long page</div>';

/** Pages with one flaw each, and one without any. */
const PAGES: Record<string, string> = {
  'no flaw': `<h1>Fine</h1><label><input type="radio" style="position: absolute; opacity: 0"> One</label>
    <button>Go</button>${TALL}<a href="/">End</a><div style="height: 90px"></div>
    <nav style="position: fixed; inset: auto 0 0; height: 80px; background: gray"></nav>
    <ul><li><bdi style="display: block; width: 90px; ${ELLIPSIS}">Maximiliane Wolkenstein</bdi></li></ul>
    <p style="width: 90px; overflow-wrap: anywhere">Maximiliane Wolkenstein</p>
    <p style="width: 90px; overflow-x: auto; white-space: nowrap">A row that scrolls</p>`,
  'a control under a bar': `<h1>Covered</h1>${TALL}<button>Send</button>
    <nav style="position: fixed; inset: auto 0 0; height: 80px; background: gray"></nav>`,
  'a control out of sight': '<h1>Away</h1><button style="position: fixed; left: -200px">Send</button>',
  'wider than the window': '<h1>Wide</h1><div style="width: 700px">a table</div>',
  'a sheet that scrolls to the side': `<h1>Sheet</h1><div class="overflow-y-auto" style="width: 200px; overflow-y: auto">
    <p style="width: 400px">an address</p></div>`,
  'a link under the whole card': `<h1>Card</h1><div style="position: relative"><button>More</button>
    <a href="/" style="position: absolute; inset: 0" aria-label="Open"></a></div>`,
  'a title that lost its end': `<h1 style="width: 120px; ${ELLIPSIS}">Management of the center</h1>`,
  'a title cut in the middle of its lines': `<h1 style="width: 120px; height: 40px; overflow: hidden">Management of the center</h1>`,
  'a name of which an ellipsis leaves two letters': `<ul><li><bdi style="display: block; width: 30px; ${ELLIPSIS}">Maximiliane</bdi></li></ul>`,
  'a word in letters': '<p style="width: 20px; overflow-wrap: anywhere">Rejected</p>',
  'names that lie on each other': `<ul style="display: flex"><li style="width: 40px"><span>Empezar</span></li>
    <li style="width: 40px"><span>Clasificación</span></li></ul>`,
};
const JUMPING = `<h1>Jumps</h1><p style="height: 300px; background: gray">The text below.</p><script>
  setTimeout(() => document.querySelector('h1').style.marginBottom = '300px', 300)</script>`;
const ADDRESS = 'http://flaws.example/';

async function openPage(browser: Browser, body: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.route(ADDRESS, (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html>${body}` }));
  await page.goto(ADDRESS);
  return page;
}

const browser = await chromium.launch(launchOptions());
try {
  const found: PlantedLooks = {};
  for (const [name, body] of Object.entries(PAGES)) {
    const page = await openPage(browser, `<meta name="viewport" content="width=device-width">${body}`);
    found[name] = [
      ...(await page.evaluate(findLayoutProblems)),
      ...(await page.evaluate(findCutTexts)),
      ...(await page.evaluate(findOverlappingTexts)),
    ];
    await page.close();
  }
  const page = await openPage(browser, JUMPING);
  const { shift, moved } = await page.evaluate(readLayoutShift, 1_000);
  found['a jump'] = shift > 0.02 ? moved : [];
  const errors = recordUnexpectedErrors(page.context());
  await page.evaluate(() => console.error('a message for developers'));
  await expect.poll(() => errors.size).toBe(1);
  found['an error in the console'] = [...errors];
  console.log(`PLANTED-LOOKS ${JSON.stringify(found)}`);
} finally {
  await browser.close();
}
