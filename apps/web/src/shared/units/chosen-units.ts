import { UNIT_CHOICES, UNIT_KINDS, type UnitKind, type Units, unitsOfRegion } from '@sendlap/domain/units.ts';
import { useSyncExternalStore } from 'react';
import { createListeners } from '#web/shared/lib/store.ts';
import { deviceStorage } from '../device/device-storage.ts';

const keyOf = (kind: UnitKind) => `unit-${kind}`;
const { subscribe, notify } = createListeners();
let units: Units | null = null;

/**
 * Returns the units that were chosen on this device. A kind without a choice has the usual unit of the region that the
 * browser's first language names ('en-US'), else the metric one.
 */
export function initialUnits(stored: Partial<Record<UnitKind, string | null>>, languages: readonly string[]): Units {
  const usual = unitsOfRegion(regionOf(languages[0]));
  const kinds = UNIT_KINDS.map((kind) => {
    const choices: readonly string[] = UNIT_CHOICES[kind];
    const choice = stored[kind];
    return [kind, choice && choices.includes(choice) ? choice : usual[kind]];
  });
  return Object.fromEntries(kinds) as Units;
}

function regionOf(language: string | undefined): string | undefined {
  try {
    return language === undefined ? undefined : new Intl.Locale(language).region;
  } catch {
    return undefined;
  }
}

function currentUnits(): Units {
  if (units) return units;
  const stored = UNIT_KINDS.map((kind) => [kind, deviceStorage.getItem(keyOf(kind))]);
  units = initialUnits(Object.fromEntries(stored), navigator.languages);
  return units;
}

/** Switches all screens to a unit and remembers it on this device. */
export function chooseUnit<Kind extends UnitKind>(kind: Kind, unit: Units[Kind]): void {
  units = { ...currentUnits(), [kind]: unit };
  deviceStorage.setItem(keyOf(kind), unit);
  notify();
}

export function useUnits(): Units {
  return useSyncExternalStore(subscribe, currentUnits, currentUnits);
}
