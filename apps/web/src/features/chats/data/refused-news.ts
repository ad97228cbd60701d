import type { Outbox } from '#web/shared/outbox/outbox.ts';
import type { WaitingMessage } from '#web/shared/outbox/store/waiting-message.ts';

/** What the server says of a chat that is not, or no longer, one in which I may write. */
const CLOSED: string[] = ['chat_closed', 'chat_not_found'];

/**
 * Calls `onClosed` whenever a message is refused because its chat is closed or gone, in whichever tab: what is known of
 * that chat here is of before. Ends when the returned function is called.
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
