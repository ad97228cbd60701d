import type { DeviceDatabase } from './disk.ts';

const ID = 'one';
/** Beside the key, where a sign-out begins. */
export const USER = 'user';

/** The session key of a browser: in this model a text. */
export const hasSessionKey = async (device: DeviceDatabase): Promise<boolean> => (await device.count('keys', ID)) > 0;

export async function deleteSession(device: DeviceDatabase): Promise<void> {
  await Promise.all([device.delete('keys', ID), device.delete('keys', USER)]);
}

export async function loadSessionKey(device: DeviceDatabase): Promise<string | null> {
  return (await device.get('keys', ID)) ?? null;
}

interface KeyDeps {
  device: DeviceDatabase;
  newId: () => string;
  /** As a refresh does: it creates a key only beside a signed-in user. */
  needs_user: boolean;
}

/** As the app does: the key is on disk before it is used. */
export async function loadOrCreateSessionKey({ device, newId, needs_user }: KeyDeps): Promise<string | null> {
  const existing = await loadSessionKey(device);
  if (existing !== null) return existing;
  const transaction = device.transaction('keys', 'readwrite', { durability: 'strict' });
  const may_create = !needs_user || (await transaction.store.count(USER)) > 0;
  const key = may_create ? newId() : null;
  if (key !== null) await transaction.store.put(key, ID);
  await transaction.done;
  return key;
}

/** As the model of the server reads it. */
export const proofText = (key: string, id: string, at_ms: number): string => JSON.stringify({ key, id, at_ms });
