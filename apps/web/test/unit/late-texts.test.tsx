import { within } from '@testing-library/dom';
import { type ReactNode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';

// Texts that have been loaded stay: each test has nouns of its own, and none that another file in this process loaded.
vi.resetModules();
const { files } = await import('virtual:texts');
const { startI18n } = await import('#web/shared/i18n/i18n.ts');
const { useTranslation } = await import('#web/shared/i18n/use-translation.ts');

beforeAll(() => startI18n());

/** Two parts of a screen that need the texts of the same noun. */
function Poster({ name }: { name: string }) {
  const { t } = useTranslation('claims');
  return (
    <p>
      {name}: {t('poster.link')}
    </p>
  );
}

function Setup() {
  const areas = useTranslation('area-loads');
  const setup = useTranslation('setup');
  return (
    <p>
      {areas.t('saving')} {setup.t('title')}
    </p>
  );
}

const waiting = (part: ReactNode) => <Suspense fallback={<p>waiting</p>}>{part}</Suspense>;

/** The texts of a noun come as soon as `until` resolves. */
async function bringTexts(noun: string, until?: Promise<void>): Promise<void> {
  const catalogs = (await files[`en/${noun}`]?.()) ?? { default: {} };
  vi.spyOn(files, `en/${noun}`).mockImplementation(async () => {
    await until;
    return catalogs;
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

function show(parts: ReactNode) {
  const errors: unknown[] = [];
  const place = document.body.appendChild(document.createElement('div'));
  const report = (error: unknown) => errors.push(error);
  // React draws once more after a crash: that works only if no other texts are late.
  const root = createRoot(place, { onUncaughtError: report, onRecoverableError: report });
  root.render(parts);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  return { errors, draw: (next: ReactNode) => root.render(next), ...within(place) };
}

test('two parts wait for the same texts, and one is gone when they come', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await bringTexts('claims', promise);
  const one = waiting(<Poster name="one" />);
  const screen = show(
    <>
      {one}
      {waiting(<Poster name="other" />)}
    </>,
  );
  expect(await screen.findAllByText('waiting')).toHaveLength(2);
  screen.draw(one);
  resolve();
  await vi.waitFor(() => {
    expect(screen.errors).toEqual([]);
    expect(screen.getByText('one: Poster for the entrance')).toBeTruthy();
  });
  expect(screen.queryByText(/^other/)).toBeNull();
});

test('texts that come while their parts are being drawn are shown, of each noun', async () => {
  await bringTexts('area-loads');
  await bringTexts('setup');
  const screen = show(
    waiting(
      <>
        <Setup />
        <Setup />
      </>,
    ),
  );
  await vi.waitFor(() => {
    expect(screen.errors).toEqual([]);
    expect(screen.getAllByText('Saving… Set up this server')).toHaveLength(2);
  });
});
