import { isPosition, type Position } from '@sendlap/domain/geo.ts';
import { loadMetadata, saveMetadata } from '../copies/metadata.ts';

/** Devices already hold a value of this name and kind. */
const KEY = 'sport-centers-last-place';
const KIND = 'map';

/** Where the signed-in user last searched for sport centers; null without such a place. */
export async function loadLastOrigin(): Promise<Position | null> {
  const origin = await loadMetadata(KEY);
  if (!isPosition(origin) || (origin as { kind?: unknown }).kind !== KIND) return null;
  const { latitude, longitude } = origin;
  return { latitude, longitude };
}

/** Saves where this user searches, until they sign out. */
export function saveLastOrigin({ latitude, longitude }: Position, user_id: string): void {
  void saveMetadata(KEY, { kind: KIND, latitude, longitude }, user_id);
}
