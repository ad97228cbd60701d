/** Replaces an erased user's id in other users' rows; a migration creates its row in `users`. */
export const DELETED_USER_ID = '00000000-0000-4000-8000-000000000000';
