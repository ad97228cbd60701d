let shown: string | null = null;

/** The panel says whose messages are on the screen, so that nothing else announces them; null: none. */
export function setShownChat(chat_id: string | null): void {
  shown = chat_id;
}

/** The chat whose messages are on the screen. */
export function getShownChat(): string | null {
  return shown;
}
