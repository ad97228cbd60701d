let shown: string | null = null;

/** Set by the panel: the chat on the screen, so that no other code announces its messages; null: no chat. */
export function setShownChat(chat_id: string | null): void {
  shown = chat_id;
}

/** Returns the chat whose messages are on the screen. */
export function getShownChat(): string | null {
  return shown;
}
