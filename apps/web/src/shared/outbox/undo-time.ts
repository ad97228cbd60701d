/** How long what the user did can be undone, as long as the toast that offers it is shown. */
export const UNDO_MS = 5_000;
