import type { Area } from './fault.ts';

const FILES = ['apps/api/src/modules/backups/backups.test.ts'];
const RESTORE = ['apps/api/src/modules/backups/restore-backup.test.ts'];

export const BACKUPS: Area = {
  area: 'backups',
  faults: [
    {
      name: 'changed-backup-is-restored',
      file: 'apps/api/src/modules/backups/read-backup.ts',
      find: 'if (!hash.digest().equals(checksum)) throw damaged(file);',
      replace: '',
      harm: 'A bit that the disk flipped becomes a wrong row, or ends a restore in the middle.',
      tests: FILES,
    },
    {
      name: 'proof-compares-only-counts',
      file: 'apps/api/src/modules/backups/load-backup.ts',
      find: "if (hash.digest('hex') !== sha256)",
      replace: 'if (sha256.length === 0)',
      harm: 'A backup whose rows come back changed counts as proved.',
      tests: FILES,
    },
    {
      name: 'restore-begins-no-epoch',
      file: 'apps/api/src/modules/backups/restore-backup.ts',
      find: 'const EPOCH_EVENTS = 1_000_000_000;',
      replace: 'const EPOCH_EVENTS = 0;',
      harm: 'A device that read more than the backup has misses the events that get the same numbers.',
      tests: RESTORE,
    },
    {
      name: 'restore-keeps-access-tokens',
      file: 'apps/api/src/modules/backups/restore-backup.ts',
      find: "await client.query('delete from signing_keys where purpose = $1', [ACCESS_TOKEN_PURPOSE]);",
      replace: '',
      harm: 'For ten minutes phones send newer work without what the backup lacks, and it is refused for good.',
      tests: RESTORE,
    },
    {
      name: 'newer-work-overtakes-what-was-lost',
      file: 'apps/web/src/shared/outbox/send/watch-requeues.ts',
      find: 'if ((await readEpoch()) !== before) throw new RequeuedError();',
      replace: 'await readEpoch();',
      harm: 'After a restore the finish arrives before the start that the backup lacks, and is refused for good.',
      tests: ['apps/web/src/shared/outbox/outbox.test.ts'],
    },
    {
      name: 'an-old-answer-speaks-for-a-restored-server',
      file: 'apps/web/src/shared/outbox/send/drain.ts',
      find: '  await assertNotRequeued();',
      replace: '',
      harm: 'What the server acknowledged right before a restore is never sent to the restored one, and is lost.',
      tests: ['apps/web/src/shared/outbox/worker-client.test.ts'],
    },
    {
      name: 'a-thread-speaks-for-a-restored-server',
      file: 'apps/web/src/shared/outbox/store/message-store.ts',
      find: 'refused === null && !is_in_doubt',
      replace: 'refused === null',
      harm: 'A message that a restored server lacks leaves the outbox unsent when the app opens.',
      tests: ['apps/web/src/shared/outbox/store/sent.test.ts'],
    },
    {
      name: 'restore-runs-beside-the-server',
      file: 'apps/api/src/modules/backups/restore-backup.ts',
      find: 'if (!rows[0]?.is_stopped)',
      replace: 'if (rows.length === 0)',
      harm: 'Nodes keep boards, sessions and centers of the data that the restore replaced.',
      tests: RESTORE,
    },
  ],
};
