import type { Area } from '../fault.ts';

const OPS = ['apps/web/src/shared/outbox/*.test.ts'];
const MESSAGES = ['apps/web/src/shared/outbox/messages/*.test.ts'];

export const OUTBOX: Area = {
  area: 'outbox',
  faults: [
    {
      name: 'op-overtakes-a-held-one',
      file: 'apps/web/src/shared/outbox/batch.ts',
      find: 'stopped.add(line);',
      replace: '',
      harm: 'The next start is sent before the finish that can still be undone, and refused.',
      tests: OPS,
    },
    {
      name: 'rate-limit-is-final',
      file: 'apps/web/src/shared/outbox/drain.ts',
      find: 'status !== 408 && status !== 429 && status < 500',
      replace: 'status !== 408 && status < 500',
      harm: 'An op that met a rate limit is shown as refused and never sent again.',
      tests: OPS,
    },
    {
      name: 'one-bad-op-spoils-its-batch',
      file: 'apps/web/src/shared/outbox/drain.ts',
      find: "if (is_spoiled && ops.length > 1) return 'split';",
      replace: '',
      harm: 'One op that the server cannot read holds up everything else on the phone.',
      tests: OPS,
    },
    {
      name: 'double-tap-saves-twice',
      file: 'apps/web/src/shared/outbox/save-op.ts',
      find: 'if (known !== undefined) return;',
      replace: '',
      harm: 'An op that is saved again is queued twice.',
      tests: OPS,
    },
    {
      name: 'answered-op-stays-queued',
      file: 'apps/web/src/shared/outbox/settle.ts',
      find: 'await ops.delete(op.seq);',
      replace: '',
      harm: 'What the server has taken is sent again and again.',
      tests: OPS,
    },
    {
      name: 'retry-keeps-the-refused-id',
      file: 'apps/web/src/shared/outbox/settle.ts',
      find: '{ ...payload, op_id: newId() }',
      replace: 'payload',
      harm: 'Try again gets the stored refusal for ever.',
      tests: OPS,
    },
    {
      name: 'clock-is-corrected-the-wrong-way',
      file: 'apps/web/src/shared/outbox/correct-times.ts',
      find: 'Date.parse(timestamp) + offset_ms',
      replace: 'Date.parse(timestamp) - offset_ms',
      harm: 'A phone whose clock is an hour slow records its training two hours off.',
      tests: OPS,
    },
    {
      name: 'unsent-op-is-lost-with-a-deletion',
      file: 'apps/web/src/shared/outbox/server-word.ts',
      find: 'if (is_gone && isSynced(local, rows))',
      replace: 'if (is_gone)',
      harm: 'A finish that was not sent yet disappears because another phone deleted the activity.',
      tests: OPS,
    },
    {
      name: 'full-disk-frees-nothing',
      file: 'apps/web/src/shared/outbox/room.ts',
      find: 'if (tried % 2 === 1) await freeSpace().catch(() => {});',
      replace: '',
      harm: 'On a phone that is full of map tiles no activity can be started.',
      tests: OPS,
    },
    {
      name: 'messages-share-a-number',
      file: 'apps/web/src/shared/outbox/messages/message-store.ts',
      find: "openKeyCursor(null, 'prev')",
      replace: "openKeyCursor(null, 'next')",
      harm: 'Messages that were written offline arrive in another order.',
      tests: MESSAGES,
    },
    {
      name: 'discard-takes-a-message-on-its-way',
      file: 'apps/web/src/shared/outbox/messages/message-store.ts',
      find: 'if (message?.user_id === user_id && message.refused !== null) await messages.delete(client_id);',
      replace: 'if (message?.user_id === user_id) await messages.delete(client_id);',
      harm: 'A message that waits is lost by a discard in another tab.',
      tests: MESSAGES,
    },
  ],
};
