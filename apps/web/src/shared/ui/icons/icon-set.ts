import { FIRST_ICONS } from './first-icons.ts';

const known: Record<string, readonly string[]> = { ...FIRST_ICONS };

/** Makes more icons known, so that the first script carries only what the sign-in screen shows. */
export function addIcons(icons: Record<string, readonly string[]>): void {
  Object.assign(known, icons);
}

/** The paths of an icon; none while its set is still on the way. */
export function iconPaths(name: string): readonly string[] {
  return known[name] ?? [];
}
