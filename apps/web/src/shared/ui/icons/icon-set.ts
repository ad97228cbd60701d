import { FIRST_ICONS } from './first-icons.ts';

const registered: Record<string, readonly string[]> = { ...FIRST_ICONS };

/** Registers more icons, so that the first script only contains those of the sign-in screen. */
export function addIcons(icons: Record<string, readonly string[]>): void {
  Object.assign(registered, icons);
}

/** Returns the paths of an icon; empty while its set is loading. */
export function iconPaths(name: string): readonly string[] {
  return registered[name] ?? [];
}
