import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findByRole, within } from '@testing-library/dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { clearDevice } from '#test/device/device.ts';
import { changeLanguage, startI18n } from '#web/shared/i18n/i18n.ts';
import { EXAMPLES, Gallery } from './Gallery.tsx';

const COMPONENTS = globSync('**/*.tsx', { cwd: join(import.meta.dirname, '../src/shared/ui') })
  .filter((file) => !file.endsWith('.test.tsx'))
  .map((file) => file.replace('.tsx', ''))
  .sort();

test('the gallery shows every component of shared/ui, each with a state, and no other', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(COMPONENTS);
  expect(Object.entries(EXAMPLES).filter(([, examples]) => examples.length === 0)).toEqual([]);
});

test('the examples of a component use it', () => {
  const sources = globSync('examples/*.tsx', { cwd: import.meta.dirname }).map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  );
  const isUsed = (file: string) => sources.some((source) => source.includes(`'#web/shared/ui/${file}.tsx'`));
  expect(COMPONENTS.filter((file) => !isUsed(file))).toEqual([]);
});

test('every component renders in both languages without an error', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  const part = document.body.appendChild(document.createElement('div'));
  const root = createRoot(part);
  onTestFinished(async () => {
    root.unmount();
    part.remove();
    report.mockRestore();
    await clearDevice();
  });
  await startI18n();
  root.render(<Gallery />);
  await findByRole(part, 'heading', { name: 'Components' });
  for (const [language, retry] of [
    ['es', 'Reintentar'],
    ['en', 'Retry'],
  ] as const) {
    await changeLanguage(language);
    const failed = await findByRole(part, 'region', { name: 'LoadFailed' });
    await within(failed).findAllByRole('button', { name: retry });
    const link = await findByRole(part, 'region', { name: 'OneTimeLink' });
    await within(link).findAllByRole('img');
  }
  expect(report.mock.calls).toEqual([]);
});
