import type { Outbox } from '#web/shared/outbox/outbox.ts';
import type { PanelStore } from './panel-store.ts';

/**
 * Whether a message is being written, sent or waiting for the network. A draft on the disk and a refused message
 * survive a reload and do not count.
 */
export function hasUnsent(
  { hasUnsaved }: Pick<PanelStore, 'hasUnsaved'>,
  { getSnapshot }: Pick<Outbox, 'getSnapshot'>,
): boolean {
  return hasUnsaved() || getSnapshot().messages.some(({ refused }) => refused === null);
}
