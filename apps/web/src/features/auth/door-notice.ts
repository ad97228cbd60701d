const KEY = 'door-notice';
const NOTICES = ['account_deleted', 'provider_session_open'] as const;
export type DoorNotice = (typeof NOTICES)[number];

/** What somebody who just left is to be told at the door, once: it is taken away by reading. */
export function takeDoorNotice(): DoorNotice | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return NOTICES.find((notice) => notice === text) ?? null;
  } catch {
    return null;
  }
}

/** The same out of an address; anything else in it could be anybody's words. */
export function readDoorNotice(text: string | null): DoorNotice | null {
  return text === 'provider_session_open' ? text : null;
}
