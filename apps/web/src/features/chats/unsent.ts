import type { Outbox } from '#web/shared/outbox/outbox.ts';
import type { PanelStore } from './panel-store.ts';

/**
 * Whether something that I wrote has not been sent: it stands in a field, in memory only, or it waits for the network. A
 * message that was refused is on the disk and waits for nothing.
 */
export function isAnyUnsent(
  { isAnyWritten }: Pick<PanelStore, 'isAnyWritten'>,
  { getSnapshot }: Pick<Outbox, 'getSnapshot'>,
): boolean {
  return isAnyWritten() || getSnapshot().messages.some(({ refused }) => refused === null);
}
