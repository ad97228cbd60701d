import type { Outbox } from '#web/shared/outbox/outbox.ts';
import type { WaitingMessage } from '#web/shared/outbox/store/waiting-message.ts';

/** The error codes of a chat in which I can't write, or no longer. */
const CLOSED: string[] = ['chat_closed', 'chat_not_found'];

/**
 * Calls `onClosed` whenever a message, in any tab, is refused because its chat is closed or gone: this tab's data about
 * that chat is then stale. Returns a function that unsubscribes.
 */
export function followRefusals(
  { subscribe, getSnapshot }: Pick<Outbox, 'subscribe' | 'getSnapshot'>,
  onClosed: () => void,
): () => void {
  const readRefused = () =>
    new Set(
      getSnapshot()
        .messages.filter(isShutOut)
        .map(({ client_id }) => client_id),
    );
  let known = readRefused();
  return subscribe(() => {
    const refused = readRefused();
    const is_news = [...refused].some((id) => !known.has(id));
    known = refused;
    if (is_news) onClosed();
  });
}

function isShutOut({ refused }: WaitingMessage): boolean {
  return refused !== null && CLOSED.includes(refused.code);
}
