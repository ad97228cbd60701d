/** Stands in others' rows for whoever was erased; its row in `users` is made by a migration. */
export const DELETED_USER_ID = '00000000-0000-4000-8000-000000000000';
