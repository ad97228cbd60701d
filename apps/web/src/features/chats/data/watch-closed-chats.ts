import type { Outbox } from '#web/shared/outbox/outbox.ts';
import type { QueuedMessage } from '#web/shared/outbox/store/queued-message.ts';

/** The error codes of a chat in which I can't write, or no longer. */
const CLOSED_CHAT_CODES: string[] = ['chat_closed', 'chat_not_found'];

/**
 * Calls `onClosed` whenever a message, in any tab, is refused because its chat is closed or gone: this tab's data about
 * that chat is then stale. Returns a function that unsubscribes.
 */
export function watchClosedChats(
  { subscribe, getSnapshot }: Pick<Outbox, 'subscribe' | 'getSnapshot'>,
  onClosed: () => void,
): () => void {
  const getRefusedIds = () =>
    new Set(
      getSnapshot()
        .messages.filter(isRefusedAsClosed)
        .map(({ client_id }) => client_id),
    );
  let seen_ids = getRefusedIds();
  return subscribe(() => {
    const refused = getRefusedIds();
    const has_new_refusal = [...refused].some((id) => !seen_ids.has(id));
    seen_ids = refused;
    if (has_new_refusal) onClosed();
  });
}

function isRefusedAsClosed({ refused }: QueuedMessage): boolean {
  return refused !== null && CLOSED_CHAT_CODES.includes(refused.code);
}
