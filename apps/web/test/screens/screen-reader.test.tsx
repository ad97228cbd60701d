import { syncActivities } from '@sendlap/contract/activities.ts';
import { listMyRefereeRights } from '@sendlap/contract/referees.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { findTraces, readStores } from '../device/browser-stores.ts';
import { activityOf } from '../models/activity-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { BILBAO } from '../models/setup-model.ts';
import { openApp } from '../open-app.ts';
import { athlete, EVE } from '../people.ts';
import { MINUTE_MS, openAppWithActivities, passUndo } from '../scenes/activity-scene.ts';
import { findPanel, openAppWithChats, putMessages } from '../scenes/chat-panel.ts';
import { activityCode, pathOfCode } from '../scenes/scanner-scene.ts';
import { useScreenReader } from '../scenes/screen-reader.ts';
import { openSetup } from '../scenes/setup-page.ts';

/** One minute after the athlete's swim has ended. */
const NOW = '2026-11-20T10:46:00Z';
const SWIM = { ...activityOf(1, POOL), ended_at: '2026-11-20T10:45:00.000Z' };
const CODE_PATH = pathOfCode(activityCode(SWIM, athlete('Ana', 5), NOW));
const RIGHT = {
  sport_center_id: POOL.id,
  sport_center_name: POOL.name,
  sport_types: ['swimming' as const],
  valid_until: null,
};

const WORDS = {
  en: {
    start: 'Start swimming',
    saved: /Saved on the server$/,
    offline: /^You're offline/m,
    finish: 'Finish',
    show: 'Show my code',
    code: /^QR code of your swimming/i,
    check: 'Is this right?',
    confirm: 'Confirm',
    waiting: /^Recorded. It will be confirmed when the athlete is back online/m,
    confirmed: /^Confirmed/m,
    name: 'Name of this server',
    save: 'Save',
    town: 'Your town',
    bilbao: 'Choose Bilbao, Spain',
    change: 'Change town',
    chats: /^Open chats, 1 unread message$/,
    field: 'Message to Eve',
    stored: /^Sent$/m,
    tour: 'Show me around',
    step: /^(Next|Done)$/,
    radar: 'Skills radar',
    last: 'Ready when you are',
  },
  es: {
    start: 'Empezar a nadar',
    saved: /Guardada en el servidor$/,
    offline: /^Estás sin conexión/m,
    finish: 'Terminar',
    show: 'Mostrar mi código',
    code: /^Código QR de tu actividad de natación/i,
    check: '¿Es correcto?',
    confirm: 'Confirmar',
    waiting: /^Registrada. Se confirmará cuando el deportista vuelva a tener conexión/m,
    confirmed: /^Confirmada/m,
    name: 'Nombre de este servidor',
    save: 'Guardar',
    town: 'Tu localidad',
    bilbao: 'Elegir Bilbao, España',
    change: 'Cambiar de localidad',
    chats: /^Abrir los chats, 1 mensaje sin leer$/,
    field: 'Mensaje para Eve',
    stored: /^Enviado$/m,
    tour: 'Empezar el recorrido',
    step: /^(Siguiente|Listo)$/,
    radar: 'Radar de habilidades',
    last: 'Todo listo',
  },
};

describe.each(['en', 'es'] as const)('by keyboard and screen reader alone, in %s,', (language) => {
  const words = WORDS[language];

  test('an athlete swims, shows the code and hears of the confirmation', async () => {
    const phone = await openAppWithActivities({ language });
    const reader = useScreenReader(phone);
    await reader.press('button', words.start);
    await screen.findByRole('timer');
    await screen.findByText(words.saved);
    phone.setOnline(false);
    await reader.hears(words.offline);
    await phone.passTime(45 * MINUTE_MS);
    await reader.press('button', words.finish);
    await reader.press('link', words.show);
    await screen.findByRole('img', { name: words.code });
    phone.activities.decideAtFinish({ status: 'validated', validation: 'referee', points: 331 });
    await passUndo(phone);
    phone.setOnline(true);
    await reader.hears(words.confirmed);
  });

  test("a referee reads what a scanned code claims, confirms it, and hears that it waits for the athlete's phone", async () => {
    const phone = await openApp({
      path: '/qr/scan',
      now: NOW,
      language,
      prepare(server) {
        answerCenter(server);
        server.on(listMyRefereeRights, () => ({ items: [RIGHT], next_cursor: null }));
        server.on(syncActivities, ({ body }) => ({
          results: body.ops.map(({ op_id }) => ({ op_id, outcome: 'waiting' as const })),
        }));
      },
    });
    const reader = useScreenReader(phone);
    await waitFor(async () => expect(findTraces(await readStores(), { right: 'referee_rights' })).not.toEqual([]));
    await phone.reload(CODE_PATH);
    const card = await screen.findByRole('dialog', { name: words.check });
    await within(card).findByText('Ana');
    await waitFor(() => expect(card.contains(document.activeElement), 'the focus is in the card').toBe(true));
    await reader.press('button', words.confirm);
    await reader.hears(words.waiting);
  });

  test('an operator names the server and chooses its town', async () => {
    const phone = await openSetup({ language });
    const reader = useScreenReader(phone);
    await reader.type(words.name, 'Club Bilbao');
    await reader.press('button', words.save);
    await waitFor(() => expect(phone.model.profile.name).toBe('Club Bilbao'));
    await reader.type(words.town, 'bil');
    await reader.press('button', words.bilbao);
    await screen.findByRole('button', { name: words.change });
    expect(phone.model.profile.town).toMatchObject({ id: BILBAO.id });
  });

  test('two friends chat: the unread message, the answer, its mark and the next message are heard', async () => {
    const phone = await openAppWithChats({
      language,
      prepare: (chats) => putMessages(chats, [{ by: EVE, text: 'Climbing on Friday?' }]),
    });
    const reader = useScreenReader(phone);
    await reader.press('button', words.chats);
    const panel = await findPanel();
    await waitFor(() => expect(panel.contains(document.activeElement), 'the focus is in the panel').toBe(true));
    await reader.press('button', /^Eve/);
    await screen.findByRole('log');
    await reader.type(words.field, 'Hello Eve');
    await phone.user.keyboard('{Enter}');
    await reader.hears(words.stored);
    phone.chats.write(EVE, 'At seven then');
    await reader.hears(/At seven then/);
    await phone.user.keyboard('{Escape}{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement, 'the focus is on a control again').not.toBe(document.body);
  });

  test('a new athlete takes the tour: each step has the focus, and the last one gives it back', async () => {
    const phone = await openApp({ language, now: NOW, as: athlete('Tove', 6, { created_at: NOW }) });
    const reader = useScreenReader(phone);
    await reader.press('button', words.tour);
    for (let step = 1; step <= 8; step += 1) {
      await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain(`${step} `));
      const dialog = screen.getByRole('dialog', { name: step === 2 ? words.radar : step === 8 ? words.last : /\S/ });
      await waitFor(() => expect(dialog.contains(document.activeElement), 'the focus is in the step').toBe(true));
      await reader.press('button', words.step);
    }
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });
});
