/** Where the own provider answers. */
export const MOUNT_PATH = '/oidc';

/** The page of one sign-in under way. */
export function interactionPath(uid: string): string {
  return `${MOUNT_PATH}/interaction/${uid}`;
}
