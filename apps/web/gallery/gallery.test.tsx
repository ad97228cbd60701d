import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { within } from '@testing-library/dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { clearDevice } from '#test/device/device.ts';
import { changeLanguage, startI18n } from '#web/shared/i18n/i18n.ts';
import { findNeedlessExceptions, listComponents } from './components.ts';
import { EXAMPLES, Gallery } from './Gallery.tsx';

const COMPONENTS = listComponents();

test('the gallery shows every component that draws from its props alone, each with a state, and no other', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(COMPONENTS);
  expect(Object.entries(EXAMPLES).filter(([, examples]) => examples.length === 0)).toEqual([]);
});

test('every exception is needed', () => {
  expect(findNeedlessExceptions()).toEqual([]);
});

test('the examples of a component use it', () => {
  const sources = globSync('examples/**/*.tsx', { cwd: import.meta.dirname }).map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  );
  const isUsed = (file: string) => sources.some((source) => source.includes(`'#web/${file}.tsx'`));
  expect(COMPONENTS.filter((file) => !isUsed(file))).toEqual([]);
});

test('every component renders in both languages without an error', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  const part = document.body.appendChild(document.createElement('div'));
  // A boundary's example crashes on purpose.
  const root = createRoot(part, { onCaughtError: () => {} });
  onTestFinished(async () => {
    root.unmount();
    part.remove();
    report.mockRestore();
    await clearDevice();
  });
  await startI18n();
  root.render(<Gallery />);
  // By their ids: the page is too large to look for roles in all of it.
  const findSection = async (file: string) =>
    within(await vi.waitFor(() => part.querySelector<HTMLElement>(`[id="${file}"]`) ?? expect.fail(`no ${file}`)));
  for (const [language, retry] of [
    ['es', 'Reintentar'],
    ['en', 'Retry'],
  ] as const) {
    await changeLanguage(language);
    const failed = await findSection('shared/ui/feedback/LoadFailed');
    await failed.findAllByRole('button', { name: retry });
    const link = await findSection('shared/ui/feedback/OneTimeLink');
    await link.findAllByRole('img');
    const code = await findSection('features/kiosk/VenueCodePanel');
    await code.findAllByRole('img');
  }
  expect(report.mock.calls).toEqual([]);
});
