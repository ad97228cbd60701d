import { chromium } from '@playwright/test';
import { existsSync } from 'node:fs';
const [,, label, ...rest] = process.argv;
const lang = process.env.LANG_ ?? 'es', scheme = process.env.SCHEME ?? 'light', tz = process.env.TZ_ ?? 'Europe/Madrid';
const queries = rest.length ? rest : ['piscna Bilbao','piscina bilbao','rocodromo madrd','climbing edinburgh','boulder berlin','natacion','Bilbao','swimming pool Paris','pisicna','Bilbo','xqzwv'];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const stateFile = `/tmp/w/h4shots/state-${lang}.json`;
const context = await browser.newContext({ baseURL: 'http://localhost:8400', locale: lang==='es'?'es-ES':'en-GB', timezoneId: tz, viewport: {width:390,height:844}, colorScheme: scheme, deviceScaleFactor: 1 });
const page = await context.newPage();
page.on('pageerror', e => console.log('PAGEERROR', e.message));
page.on('console', m => m.type()==='error' && console.log('CONSOLE', m.text()));
await page.goto('/register');
await page.getByRole('button', { name: /^(Create account|Crear cuenta|Crea|Crear)/ }).first().click();
await page.getByLabel(/E-mail|Correo/).fill(`a${Date.now()}@example.org`);
await page.getByLabel(/Display name|Nombre/).fill('Ane');
await page.getByLabel(/Password|Contraseña/).first().fill('chalk and water 26');
await page.getByRole('button', { name: /Create account|Crear cuenta/ }).click();
await page.waitForURL(/dashboard/);
await page.waitForTimeout(1500);
const later = page.getByRole('dialog').getByRole('button', { name: /^(Later|Más tarde|Luego|Ahora no)$/ });
if (await later.count()) await later.first().click();
for (const q of queries) {
  await page.goto('/sport-centers');
  await page.waitForTimeout(1200);
  const field = page.getByRole('combobox').first();
  await field.fill(''); await page.waitForTimeout(300);
  await field.pressSequentially(q, { delay: 25 });
  await page.waitForTimeout(2200);
  if (process.env.BLUR) { await page.keyboard.press('Escape'); await page.waitForTimeout(200); }
  if (process.env.OFFLINE) {}
  const h = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
  const sug = await page.getByRole('listbox').getByRole('option').allTextContents();
  const rows = await page.getByRole('main').getByRole('listitem').getByRole('link').allTextContents();
  const live = await page.locator('[aria-live=polite]').allTextContents();
  console.log(`\n## ${q}\n heading: ${h.join(' | ')}\n summary: ${live.filter(Boolean).join(' | ')}\n towns: ${sug.join('; ')}\n rows(${rows.length}): ${rows.slice(0,3).join(' || ')} ... ${rows.at(-1)}`);
  if (process.env.SHOT) await page.screenshot({ path: `/tmp/w/h4shots/${label}-${q.replaceAll(/\W+/g,'_')}-${lang}-${scheme}.png` });
}
await browser.close();
