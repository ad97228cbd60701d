import { within } from '@testing-library/dom';
import { test } from 'vitest';
import { openServerManagement, part } from '../scenes/server-management-page.ts';

test.each([
  ['en', 'Health', '4h ago, 4 MB', 'None yet', 'Failed. The last good one: 4h ago', 'Failed, none yet', 'Off'],
  [
    'es',
    'Estado',
    'hace 4 h, 4 MB',
    'Todavía ninguna',
    'Ha fallado. La última buena: hace 4 h',
    'Ha fallado, todavía no hay ninguna',
    'No',
  ],
] as const)(
  'the health of the server says how old the last backup is, in %s',
  async (language, title, made, none, failed, failed_first, off) => {
    const [made_at, bytes] = ['2026-11-26T06:00:00.000Z', 4_000_000];
    const phone = await openServerManagement('', { language });
    for (const [backups, text] of [
      [{ made_at: null, bytes: null, has_failed: true }, failed_first],
      [{ made_at, bytes, has_failed: true }, failed],
      [{ made_at: null, bytes: null, has_failed: false }, none],
      [null, off],
      [{ made_at, bytes, has_failed: false }, made],
    ] as const) {
      phone.model.overview = { ...phone.model.overview, backups };
      await phone.reload();
      const name = language === 'en' ? 'Last backup' : 'Última copia de seguridad';
      const row = (await part(title)).getByText(name).closest('div') as HTMLElement;
      within(row).getByText(text);
    }
  },
);
