import type { OpeningHours } from '@sendlap/contract/wire/opening-hours.ts';
import { beforeAll, expect, test, vi } from 'vitest';
import { changeLanguage, loadNamespaces, startI18n } from '#web/shared/i18n/i18n.ts';
import { getTranslator } from '#web/shared/i18n/texts.ts';
import { openingText } from './opening-text.ts';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await startI18n();
  await loadNamespaces(['sport-centers']);
  await changeLanguage('es');
});

const LOCALES = { en: 'en-GB', es: 'es-ES' };
const LONG_DAY = { opens: '07:00', closes: '21:30' };
const DAILY: OpeningHours['weekly'] = Array(7).fill([LONG_DAY]);
const WEEKEND: OpeningHours['weekly'] = [[], [], [], [], [], [LONG_DAY], []];
const AROUND: OpeningHours['weekly'] = Array(7).fill([{ opens: '00:00', closes: '00:00' }]);
const GALA = { from: '2026-11-26', until: '2026-11-26', reason: 'swimming gala' };
const LEAVE = { from: '2026-11-20', until: '2026-12-24', reason: null };

test.each([
  ['en', '2026-11-26T10:00:00Z', { weekly: DAILY }, 'Open until 21:30'],
  ['en', '2026-11-26T05:59:00Z', { weekly: DAILY }, 'Closed · Opens at 07:00'],
  ['en', '2026-11-26T21:00:00Z', { weekly: DAILY }, 'Closed · Opens tomorrow at 07:00'],
  ['en', '2026-11-26T10:00:00Z', { weekly: WEEKEND }, 'Closed · Opens Saturday at 07:00'],
  ['en', '2026-11-26T10:00:00Z', { weekly: AROUND }, 'Open'],
  [
    'en',
    '2026-11-26T10:00:00Z',
    { weekly: DAILY, closed_days: [GALA] },
    'Closed today: swimming gala · Opens tomorrow at 07:00',
  ],
  ['en', '2026-11-26T10:00:00Z', { weekly: DAILY, closed_days: [LEAVE] }, 'Closed today · Opens 25 December at 07:00'],
  ['es', '2026-11-26T10:00:00Z', { weekly: DAILY }, 'Abierto hasta las 21:30'],
  [
    'es',
    '2026-11-26T21:00:00Z',
    { weekly: DAILY, closed_days: [GALA] },
    'Hoy cerrado: swimming gala · Abre mañana a las 7:00',
  ],
  ['es', '2026-11-26T10:00:00Z', { weekly: WEEKEND }, 'Cerrado · Abre el sábado a las 7:00'],
] as const)('in %s a center says at %s with %s: %s', (language, time, changes, text) => {
  const hours = { closed_days: [], ...changes } as OpeningHours;
  const t = getTranslator(language, 'sport-centers');
  const now = Date.parse(time);
  expect(openingText({ hours, time_zone: 'Europe/Madrid', now, locale: LOCALES[language], t })).toBe(text);
});
