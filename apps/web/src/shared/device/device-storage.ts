/**
 * What this device remembers and the app can do without. Where the browser forbids storage or has no room, it lasts
 * until the page is closed.
 */
export const deviceStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem(key) {
    return unstored.get(key) ?? attempt(() => localStorage.getItem(key)) ?? null;
  },
  setItem(key, value) {
    unstored.set(key, value);
    attempt(() => {
      localStorage.setItem(key, value);
      unstored.delete(key);
    });
  },
  removeItem(key) {
    unstored.delete(key);
    attempt(() => localStorage.removeItem(key));
  },
};

const unstored = new Map<string, string>();

function attempt<Value>(access: () => Value): Value | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
