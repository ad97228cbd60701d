import { within } from '@testing-library/dom';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { isConfirmable } from '#web/features/activities/data/week.ts';
import { ActivityRows } from '#web/features/activities/history/ActivityRow.tsx';
import { PointsCard } from '#web/features/activities/points/PointsCard.tsx';
import { pointsIfRefereeConfirms } from '#web/features/activities/points/score-breakdown.ts';
import { ProofAttempts } from '#web/features/activities/proof/ProofAttempts.tsx';
import { changeLanguage, startI18n } from '#web/shared/i18n/i18n.ts';
import { ACTIVITIES, NOW } from './examples/features/data.ts';
import { attempt, REFUSED_CODES } from './examples/features/proof-attempts.ts';

const { refused, saved } = ACTIVITIES;

/** Returns what a part says, once it shows `first`. */
async function read(part: ReactNode, first: string | RegExp, language: 'en' | 'es' = 'en'): Promise<string> {
  await startI18n();
  await changeLanguage(language);
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  root.render(part);
  onTestFinished(async () => {
    root.unmount();
    place.remove();
    await changeLanguage('en');
  });
  await within(place).findByText(first);
  return place.textContent;
}

test('no points wait for an activity that the server refused', async () => {
  const card = await read(<PointsCard activity={refused} just_validated={false} />, 'No points yet');
  expect(card).not.toMatch(/waiting|confirmed|235/);
  expect(await read(<PointsCard activity={saved} just_validated={false} />, 'points waiting')).toContain('235');
});

test('the row of an activity that the server refused promises no points', async () => {
  expect(await read(<ActivityRows activities={[refused]} />, 'Not accepted')).not.toContain('pts');
  expect(await read(<ActivityRows activities={[saved]} />, 'Saved')).toContain('235 pts');
});

test('no points wait for an activity that can no longer be confirmed, on its page or in its row', async () => {
  const hours_before = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
  const expired = { ...saved, started_at: hours_before(14), ended_at: hours_before(13) };
  expect(await read(<PointsCard activity={expired} just_validated={false} />, 'No points')).not.toContain('235');
  expect(await read(<ActivityRows activities={[expired]} />, 'Saved')).not.toContain('pts');
});

test('a refused activity cannot be confirmed, so its page shows no ways to', () => {
  expect([isConfirmable(refused, NOW), pointsIfRefereeConfirms(refused, NOW)]).toEqual([false, null]);
  expect(isConfirmable(saved, NOW)).toBe(true);
});

test.each([
  ['en', /\b(you are|you have|you can|ask for|this device|your device)\b/i],
  ['es', /\b(eres|has llegado|acabas|pide|pídelo|este dispositivo|del dispositivo\.)\b/i],
] as const)(
  'the athlete reads why a scan was refused, and the scanner of that scan does not, in %s',
  async (language, to_scanner) => {
    const strangers = { method: null, count: 2, code: 'not_a_referee', by: null } as const;
    const proofs = [
      attempt('refused', strangers),
      ...REFUSED_CODES.map((code) => attempt('refused', { code, by: null })),
    ];
    const title = language === 'en' ? 'Confirmations' : 'Confirmaciones';
    const text = await read(<ProofAttempts proofs={proofs} cached_at={null} />, title, language);
    expect(text).not.toMatch(to_scanner);
    expect(text).not.toMatch(/[a-z]_[a-z]|attempts\./);
  },
);
