import type { BrowserContext } from '@playwright/test';
import type { Server } from '../server/server.ts';
import type { Athlete } from './athlete.ts';

const REFRESH_COOKIE = '__Host-sendlap_refresh';

/** Every access and refresh token that a browser has had so far, oldest first. */
interface Tokens {
  access: string[];
  refresh: string[];
}

/** Records all tokens from now on. */
export function recordTokens(context: BrowserContext): () => Promise<Tokens> {
  const access = new Set<string>();
  const refresh = new Set<string>();
  context.on('request', (request) => {
    const bearer = request.headers().authorization?.split(' ')[1];
    if (bearer) access.add(bearer);
  });
  const noteCookie = async () => {
    const cookies = await context.cookies();
    for (const { name, value } of cookies) if (name === REFRESH_COOKIE) refresh.add(value);
  };
  // A page may be gone before its response is read; the next response brings the same cookie.
  context.on('response', () => void noteCookie().catch(() => {}));
  return async () => {
    await noteCookie();
    return { access: [...access], refresh: [...refresh] };
  };
}

/** Returns all texts that could identify a user, by their kind. */
export async function collectCanaries(
  server: Server,
  { name, email, page }: Athlete,
  readTokens: () => Promise<Tokens>,
): Promise<Record<string, string>> {
  const { access, refresh } = await readTokens();
  const reply = await fetch(`${server.url}/v1/auth/me`, { headers: { authorization: `Bearer ${access.at(-1)}` } });
  const { data } = (await reply.json()) as { data: { user: { id: string; public_id: string } } };
  const [device_key_id = ''] = await page.evaluate(readDeviceKeyIds);
  return {
    'user id': data.user.id,
    'public id': data.user.public_id,
    'e-mail': email,
    name,
    'device key id': device_key_id,
    'newest refresh token': refresh.at(-1) ?? '',
    ...Object.fromEntries(access.map((token, index) => [`access token ${index}`, token])),
  };
}

/** Runs in the page. */
async function readDeviceKeyIds(): Promise<string[]> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('sendlap-device');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const keys = await new Promise<{ key_id: string }[]>((resolve, reject) => {
    const request = database.transaction('keys').objectStore('keys').getAll();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  database.close();
  return keys.map(({ key_id }) => key_id);
}
