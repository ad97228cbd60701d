const KEY = 'door-notice';
const NOTICES = ['account_deleted'] as const;
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
