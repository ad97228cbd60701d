import { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PushScope, registerPush } from './push.ts';
import { notificationText } from './push-texts.ts';

const CHAT = '11111111-1111-4111-8111-111111111111';
const MESSAGE = { kind: 'message', chat_id: CHAT, name: 'Ada', text: null, at: 1, language: 'en' } as const;
const CHROMIUM = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';
const SAFARI = 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/604.1';

// A page answers at once, but on a busy machine the worker's real timeout might fire first.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A page of the app; `answers`: it has a signed-in user and shows pushes itself. */
function openPage(visibilityState: 'visible' | 'hidden', answers = true) {
  const heard: { type: string }[] = [];
  const page = {
    visibilityState,
    heard,
    focused: false,
    async focus() {
      page.focused = true;
    },
    postMessage(message: unknown, ports: MessagePort[]) {
      heard.push(message as { type: string });
      if (answers) for (const port of ports) port.postMessage('here');
    },
  };
  return page;
}

/** A worker with these pages; returns the notifications it showed and the windows it opened. */
function startWorker(pages: ReturnType<typeof openPage>[] = [], userAgent = CHROMIUM) {
  const listeners: Record<string, (event: object) => void> = {};
  const shown: { title: string; body: string; tag: string; silent?: boolean; data: unknown }[] = [];
  const opened: string[] = [];
  const scope: PushScope = {
    addEventListener: (type, listener) => {
      listeners[type] = listener as (event: object) => void;
    },
    clients: { matchAll: async () => pages, openWindow: async (path) => void opened.push(path) },
    registration: {
      showNotification: async (title, options) => void shown.push({ ...(options as (typeof shown)[0]), title }),
    },
    navigator: { userAgent },
  };
  registerPush(scope);
  const fire = async (type: string, event: object) => {
    const work: Promise<unknown>[] = [];
    listeners[type]?.({ ...event, waitUntil: (one: Promise<unknown>) => void work.push(one) });
    await Promise.all(work);
  };
  return {
    shown,
    opened,
    push: (payload: unknown) => fire('push', { data: { json: () => payload } }),
    pushNonsense: () => fire('push', { data: { json: () => JSON.parse('{') } }),
    change: () => fire('pushsubscriptionchange', {}),
    click: async () => {
      const close = vi.fn();
      await fire('notificationclick', { notification: { data: shown[0]?.data, close } });
      expect(close).toHaveBeenCalled();
    },
  };
}

const ACTIVITY = { activity_id: CHAT, at: 1 };
const PAYLOADS = (['en', 'es'] as const).flatMap((language): PushPayload[] => [
  { ...MESSAGE, language },
  { kind: 'friend_request', name: 'Ada', at: 1, language },
  { kind: 'friend_accepted', name: 'Ada', at: 1, language },
  { ...ACTIVITY, kind: 'activity_validated', center: null, points: 355, language },
  { ...ACTIVITY, kind: 'activity_rejected', center: 'Rocódromo', language },
]);

describe('notification texts', () => {
  test('exist for every kind of push, in both languages', () => {
    const kinds = PushPayload.def.options.map(({ shape }) => shape.kind.def.values[0]);
    for (const language of ['en', 'es']) {
      expect(PAYLOADS.filter((one) => one.language === language).map(({ kind }) => kind)).toEqual(kinds);
    }
  });

  test.each(PAYLOADS)('exist for $kind in $language', (payload) => {
    expect(PushPayload.parse(payload)).toEqual(payload);
    const { title, body } = notificationText(payload);
    expect(title).toMatch(/\S/);
    expect(body).toMatch(/\S/);
    const other = notificationText({ ...payload, language: payload.language === 'en' ? 'es' : 'en' });
    expect(`${title} ${body}`).not.toBe(`${other.title} ${other.body}`);
    expect(`${title} ${body}`).not.toMatch(/[{}]|undefined|null/);
  });

  test('cover a missing name, one point and many points', () => {
    expect(notificationText({ ...MESSAGE, name: 'Athlete', language: 'es' })).toEqual({
      title: 'Deportista',
      body: 'Mensaje nuevo',
    });
    expect(notificationText({ ...MESSAGE, text: 'Seven?' })).toEqual({ title: 'Ada', body: 'Seven?' });
    const validated = { ...ACTIVITY, kind: 'activity_validated', center: 'Rocódromo' } as const;
    expect(notificationText({ ...validated, points: 1, language: 'es' }).body).toBe('+1 punto · Rocódromo');
    expect(notificationText({ ...validated, points: 12_345, language: 'es' }).body).toBe('+12.345 puntos · Rocódromo');
    expect(notificationText({ ...validated, points: 1, language: 'en' }).body).toBe('+1 point · Rocódromo');
  });
});

describe('a push', () => {
  test('is shown when no page is visible, one notification a chat', async () => {
    const worker = startWorker([openPage('hidden')]);
    await worker.push(MESSAGE);
    expect(worker.shown).toMatchObject([{ title: 'Ada', body: 'New message', tag: CHAT }]);
  });

  test('is sent to the visible pages instead', async () => {
    const [looked_at, behind] = [openPage('visible'), openPage('hidden')];
    const worker = startWorker([looked_at, behind]);
    await worker.push(MESSAGE);
    expect(worker.shown).toEqual([]);
    expect(looked_at.heard).toEqual([{ type: 'PUSH', payload: MESSAGE }]);
    expect(behind.heard).toEqual([]);
  });

  test.each([CHROMIUM, SAFARI])(
    'is shown with a sound when no page shows it, as a kiosk or a page with the camera',
    async (agent) => {
      const worker = startWorker([openPage('visible', false)], agent);
      const heard = worker.push(MESSAGE);
      await vi.advanceTimersByTimeAsync(1_000);
      await heard;
      expect(worker.shown).toMatchObject([{ title: 'Ada', renotify: true }]);
      expect(worker.shown[0]).not.toHaveProperty('silent');
    },
  );

  test('is shown silently too where a browser demands it', async () => {
    const worker = startWorker([openPage('visible')], SAFARI);
    await worker.push(MESSAGE);
    expect(worker.shown).toMatchObject([{ title: 'Ada', silent: true }]);
  });

  test('that cannot be read, or is of a later version, is shown with a general text', async () => {
    const worker = startWorker();
    await worker.pushNonsense();
    await worker.push({ kind: 'duel', language: 'es', at: 1 });
    await worker.push({ kind: 'activity_shared', language: 'en', at: 1 });
    await worker.push({ language: 'es' });
    await worker.push('nothing that we send');
    await worker.push(null);
    expect(worker.shown.map(({ body }) => body)).toEqual([
      'There is something new',
      'Hay novedades',
      'There is something new',
      'Hay novedades',
      'There is something new',
      'There is something new',
    ]);
    for (const { data } of worker.shown) expect(data).toEqual({ path: '/dashboard', chat_id: null });
  });
});

describe('a tap', () => {
  test.each([
    [MESSAGE, `/dashboard?chat=${CHAT}`],
    [{ kind: 'friend_request', name: 'Ada', at: 1, language: 'en' }, '/friends'],
    [{ ...ACTIVITY, kind: 'activity_rejected', center: null, language: 'en' }, `/activities/${CHAT}`],
    [{ kind: 'duel', at: 1, language: 'en' }, '/dashboard'],
  ])('opens the app where it belongs: %s', async (payload, path) => {
    const worker = startWorker();
    await worker.push(payload);
    await worker.click();
    expect(worker.opened).toEqual([path]);
  });

  test('goes to the page that is open, the one in front first', async () => {
    const [behind, in_front] = [openPage('hidden'), openPage('hidden')];
    const worker = startWorker([behind, in_front]);
    await worker.push(MESSAGE);
    in_front.visibilityState = 'visible';
    await worker.click();
    expect(in_front).toMatchObject({
      focused: true,
      heard: [{ type: 'IS_SIGNED_IN' }, { type: 'OPEN_NEWS', chat_id: CHAT }],
    });
    expect(behind).toMatchObject({ focused: false, heard: [{ type: 'IS_SIGNED_IN' }] });
    expect(worker.opened).toEqual([]);
  });

  test('opens a new page if none answers, as a kiosk page does not', async () => {
    const kiosk = openPage('hidden', false);
    const worker = startWorker([kiosk]);
    await worker.push(MESSAGE);
    const clicked = worker.click();
    await vi.advanceTimersByTimeAsync(500);
    await clicked;
    expect(kiosk.focused).toBe(false);
    expect(worker.opened).toEqual([`/dashboard?chat=${CHAT}`]);
  });
});

test('pages are asked to renew a subscription that the browser has replaced', async () => {
  const page = openPage('hidden');
  await startWorker([page]).change();
  expect(page.heard).toEqual([{ type: 'PUSH_CHANGED' }]);
});
