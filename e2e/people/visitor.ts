import { type Browser, expect, type Page } from '@playwright/test';
import type { Server } from '../server/server.ts';

/** Opens a page in a new browser context, for a visitor who is not signed in. */
export async function openVisitor(browser: Browser, server: Server, locale = 'en-GB'): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, locale });
  return context.newPage();
}

export interface Account {
  email: string;
  password: string;
}

/** Creates an account with e-mail and password, by the operator CLI. */
export async function createAccount(server: Server, name: string): Promise<Account> {
  const email = `${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.org`;
  const printed = await server.sendlap('users', 'create', email, '--name', name, '--json');
  return JSON.parse(printed.slice(printed.indexOf('{')));
}

/** Opens the form for e-mail and password on /login. */
export async function openForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use e-mail and password' }).click();
  await expect(page.getByLabel('E-mail')).toBeFocused();
}

export async function submitForm(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
