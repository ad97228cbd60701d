import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { changeLanguage, loadNamespaces, startI18n } from '#web/shared/i18n/i18n.ts';
import { chooseUnit } from '#web/shared/units/chosen-units.ts';
import { LocationProblem, LocationReason } from './LocationReason.tsx';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await startI18n();
  await loadNamespaces(['sport-centers']);
});

/** The visible paragraphs. */
function read(problem: React.ReactNode): string[] {
  return [...renderToStaticMarkup(problem).matchAll(/<p[^>]*>(.*?)<\/p>/g)].map(([, text = '']) => text);
}

describe.each(['en', 'es'] as const)('in %s', (language) => {
  beforeAll(async () => {
    await changeLanguage(language);
  });

  test('a refused permission is named, with where each kind of device keeps its switch [spec 8.location.denied]', () => {
    const texts = (['ios', 'android', 'desktop'] as const).map((kind) =>
      read(<LocationProblem failure="denied" kind={kind} />),
    );
    const name = { en: 'Location permission denied.', es: 'Permiso de ubicación denegado.' }[language];
    expect(texts.map(([what]) => what)).toEqual([name, name, name]);
    expect(new Set(texts.map(([, how]) => how)).size).toBe(3);
  });

  test('says that the position is unavailable, and what to do [spec 8.location.unavailable]', () => {
    const [what, how] = read(<LocationProblem failure="unavailable" kind="android" />);
    expect(what).toBe({ en: 'Location unavailable.', es: 'Ubicación no disponible.' }[language]);
    expect(how?.length).toBeGreaterThan(20);
  });

  test('says that the request timed out, and what to do [spec 8.location.timeout]', () => {
    const [what, how] = read(<LocationProblem failure="timeout" kind="android" />);
    const name = {
      en: 'Location request timed out.',
      es: 'Se ha agotado el tiempo para obtener la ubicación.',
    };
    expect(what).toBe(name[language]);
    expect(how?.length).toBeGreaterThan(20);
  });

  test('says that a page without https may not ask [spec 8.location.access]', () => {
    const [what, how] = read(<LocationProblem failure="blocked" kind="android" />);
    expect(what).toBe({ en: 'Location access denied.', es: 'Acceso a la ubicación denegado.' }[language]);
    expect(how).toContain('https');
  });

  test.each([
    ['km', '100 m'],
    ['mi', '110 yd'],
  ] as const)('the reason says to which distance the position is rounded, in %s', (unit, distance) => {
    chooseUnit('distance', unit);
    expect(
      read(<LocationReason />)
        .join(' ')
        .replaceAll(/\s/g, ' '),
    ).toContain(distance);
  });
});
