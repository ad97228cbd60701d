/** Set by the session, and read by boot.js too, before anything else is known. */
const SIGNED_IN_KEY = 'signed-in';

/** Whether somebody is signed in to the app in this browser. A kiosk asks no server about it. */
export function isSomebodySignedIn(): boolean {
  try {
    return localStorage.getItem(SIGNED_IN_KEY) !== null;
  } catch {
    return false;
  }
}
