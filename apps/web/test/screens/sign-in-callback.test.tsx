import { completeSignIn } from '@sendlap/contract/auth.ts';
import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { REQUEST_ID } from '../models/fake-server.ts';
import { openApp } from '../open-app.ts';

const NOW = '2026-11-20T10:00:00Z';
const FAILURE_SHOWN_MS = 2_000;

/** Returns path and query. */
function whereIs(): string {
  return window.location.pathname + window.location.search;
}

const NOT_EXCHANGED = {
  en: {
    cancelled: 'The sign-in was cancelled.',
    no_code: 'No authorization code received',
    unknown: 'Authentication failed',
  },
  es: {
    cancelled: 'Se ha cancelado el inicio de sesión.',
    no_code: 'No se ha recibido el código de autorización',
    unknown: 'No se ha podido verificar tu identidad',
  },
};

test.each(['en', 'es'] as const)(
  'the callback takes an error and a missing code to /login, which says it in %s [spec 2.callback.error, 2.callback.no-code, 2.callback.params]',
  async (language) => {
    const words = NOT_EXCHANGED[language];
    const path = '/auth/callback?error=access_denied&error_description=whatever&state=s';
    const { reload, server } = await openApp({ as: null, path, language });
    expect((await screen.findByRole('alert')).textContent).toBe(words.cancelled);
    expect(whereIs()).toBe('/login?error=access_denied');
    await reload('/auth/callback?state=s');
    expect((await screen.findByRole('alert')).textContent).toBe(words.no_code);
    expect(whereIs()).toBe('/login?error=No%20authorization%20code%20received');
    await reload(`/login?error=${encodeURIComponent('Call 555-0100 to unlock your account')}`);
    expect((await screen.findByRole('alert')).textContent).toBe(words.unknown);
    expect(server.asked(completeSignIn)).toEqual([]);
  },
);

const EXCHANGED = {
  en: {
    completing: 'Completing Sign In...',
    processing: 'Processing your authentication...',
    failed: 'Authentication Failed',
    refused: 'This sign-in is no longer valid. Please start again.',
    down: `The sign-in service can't be reached right now. Please try again in a moment. Request ${REQUEST_ID}.`,
  },
  es: {
    completing: 'Terminando de iniciar sesión...',
    processing: 'Comprobando tus datos...',
    failed: 'No se ha podido iniciar sesión',
    refused: 'Este inicio de sesión ya no es válido. Empieza de nuevo.',
    down: `Ahora no se puede llegar al servicio de inicio de sesión. Inténtalo de nuevo en un momento. Petición ${REQUEST_ID}.`,
  },
};

test.each([
  ['en', 'oauth_state_invalid', 'refused'],
  ['es', 'oauth_state_invalid', 'refused'],
  ['en', 'provider_unavailable', 'down'],
] as const)(
  'the callback says in %s what it does and that it failed, then goes to /login with %s; the code is nowhere in the history [spec 2.callback.completing, 2.callback.processing, 2.callback.failed, 2.callback.failed-wait]',
  async (language, code, reason) => {
    const words = EXCHANGED[language];
    const entries = history.length;
    let held: { arrived: Promise<void>; release(): void } | undefined;
    const phone = await openApp({
      as: null,
      path: '/auth/callback?code=forged-code&state=forged-state',
      language,
      now: NOW,
      prepare: (server) => {
        server.refuse(completeSignIn, code);
        held = server.hold(completeSignIn);
      },
    });
    await screen.findByRole('heading', { name: words.completing });
    screen.getByText(words.processing);
    await vi.waitFor(() => expect(whereIs()).toBe('/auth/callback'));
    held?.release();
    await screen.findByRole('heading', { name: words.failed });
    await screen.findByText(words[reason]);
    expect(whereIs()).toBe('/auth/callback');
    await phone.passTime(FAILURE_SHOWN_MS);
    expect((await screen.findByRole('alert')).textContent).toBe(words[reason]);
    expect(whereIs()).toBe(`/login?error=${code}&request=${REQUEST_ID}`);
    // Every address replaced the previous one, so the history has no new entry.
    expect(history.length).toBe(entries);
  },
);

const SPOTS = {
  en: {
    provider: 'The sign-in service refused this sign-in, or its answer did not fit. Please start again. Request 5f0a.',
    clock:
      "The clocks of this app's server and of the sign-in service differ too much. Only the people who run the app can set that right. Request 5f0a.",
    setting:
      "This app is not set up correctly for its sign-in service. Trying again won't help: tell the people who run the app. Request 5f0a.",
  },
  es: {
    provider:
      'El servicio de acceso ha rechazado el inicio de sesión o su respuesta no cuadra. Empieza de nuevo. Petición 5f0a.',
    clock:
      'El reloj del servidor de esta app y el del servicio de acceso no coinciden. Solo puede arreglarlo quien administra la app. Petición 5f0a.',
    setting:
      'La app no está bien configurada para su servicio de acceso. Reintentarlo no sirve: avisa a quien administra la app. Petición 5f0a.',
  },
};

test.each([
  ['en', 'provider'],
  ['en', 'clock'],
  ['en', 'setting'],
  ['es', 'provider'],
  ['es', 'clock'],
  ['es', 'setting'],
] as const)(
  'a refused sign-in says in %s that it is the %s, with the id of the request, there and at /login',
  async (language, spot) => {
    const refused = {
      success: false,
      message: 'no',
      code: 'oauth_failed',
      error: 'no',
      details: [{ path: spot, message: 'no' }],
    };
    const headers = { 'x-server-time': String(Date.now()), 'x-request-id': '5f0a' };
    const phone = await openApp({
      as: null,
      path: '/auth/callback?code=c&state=s',
      language,
      now: NOW,
      prepare: (server) => server.replyRaw(completeSignIn, () => Response.json(refused, { status: 400, headers })),
    });
    await screen.findByText(SPOTS[language][spot]);
    await phone.passTime(FAILURE_SHOWN_MS);
    expect((await screen.findByRole('alert')).textContent).toBe(SPOTS[language][spot]);
    expect(whereIs()).toBe(`/login?error=oauth_failed_${spot}&request=5f0a`);
  },
);

test.each([
  ['en', 'unauthorized_client', /doesn't accept this app/],
  ['en', 'invalid_scope', /doesn't let this app ask for your name and e-mail/],
  ['en', 'login_required', /wants you to sign in there again/],
  ['es', 'unauthorized_client', /no acepta esta app/],
  ['es', 'invalid_scope', /no deja que esta app pida tu nombre y tu correo/],
  ['es', 'login_required', /te pide que entres de nuevo/],
] as const)('in %s %s of the provider has words', async (language, error, words) => {
  await openApp({ as: null, path: `/auth/callback?error=${error}&state=s`, language });
  expect((await screen.findByRole('alert')).textContent).toMatch(words);
});

test('an address can put no words of its own beside a failure', async () => {
  await openApp({ as: null, path: `/login?error=oauth_failed_clock&request=${encodeURIComponent('call 555-0100')}` });
  expect((await screen.findByRole('alert')).textContent).toMatch(/set that right\.$/);
});
