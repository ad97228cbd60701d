import { expect, test } from 'vitest';
import enErrors from '#web/shared/i18n/en/errors.json';
import enCenters from '#web/shared/i18n/en/sport-centers.json';
import esErrors from '#web/shared/i18n/es/errors.json';
import esCenters from '#web/shared/i18n/es/sport-centers.json';

test('a venue that is not found has a text in both languages, and so has a search that finds none [spec 8.other.venue]', () => {
  const texts = [enErrors, esErrors].map(({ sport_center_not_found }) => sport_center_not_found);
  const nothing = [enCenters, esCenters].map(({ empty }) => empty.queryTitle);
  for (const [en, es] of [texts, nothing]) {
    expect(en?.length).toBeGreaterThan(10);
    expect(es?.length).toBeGreaterThan(10);
    expect(es).not.toBe(en);
  }
});
