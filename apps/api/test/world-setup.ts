import { buildWorldIfChanged } from '#build/world-file.ts';

/** Cuts the map of the world before the tests that read its tiles. */
export async function setup(): Promise<void> {
  if (!(await buildWorldIfChanged())) throw new Error('the map of the world could not be cut');
}
