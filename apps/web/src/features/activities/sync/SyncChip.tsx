import { useState } from 'react';
import { useOnline } from '#web/shared/device/online.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { useSealedWork } from '#web/shared/outbox/sealed/use-sealed-work.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { OutboxSheet } from './OutboxSheet.tsx';
import { SyncStateChip } from './SyncStateChip.tsx';
import { syncStateOf } from './sync-state.ts';

/** The state of this device's outbox; opens the list of the ops that have not reached the server. */
export function SyncChip() {
  const state = syncStateOf(useOutbox(), useOnline(), useSealedWork());
  const [open, setOpen] = useState(false);
  return (
    <>
      <SyncStateChip state={state} onOpen={() => setOpen(true)} onRetry={() => void outbox.flush()} />
      {open && <OutboxSheet onClose={() => setOpen(false)} />}
    </>
  );
}
