import { getServerProfile, type ServerProfile } from '@sendlap/contract/server-profile.ts';
import { Town } from '@sendlap/contract/towns.ts';
import { call } from '../api/client.ts';
import { deviceStorage } from '../device/device-storage.ts';

/** The server's town, for the next start of the app: the map must not wait for the network. Not personal. */
const TOWN_KEY = 'server-town';

/** Loads the server's name and town, and saves the town. */
export async function loadServerProfile(signal?: AbortSignal): Promise<ServerProfile> {
  const profile = await call(getServerProfile, {}, signal ? { signal } : {});
  storeServerTown(profile.town);
  return profile;
}

export function storeServerTown(town: Town | null): void {
  if (town) deviceStorage.setItem(TOWN_KEY, JSON.stringify(town));
  else deviceStorage.removeItem(TOWN_KEY);
}

/** Returns the server's town as this device last loaded it. */
export function storedServerTown(): Town | null {
  try {
    const stored = Town.safeParse(JSON.parse(deviceStorage.getItem(TOWN_KEY) ?? 'null'));
    return stored.success ? stored.data : null;
  } catch {
    return null;
  }
}
