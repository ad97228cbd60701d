import { join } from 'node:path';
import { copyOut } from '../apps/api/src/database/copy-streams.ts';
import { openDatabase } from '../apps/api/src/database/database.ts';
import { createSecrets } from '../apps/api/src/database/secrets.ts';
import { type CheckedBackup, checkBackup } from '../apps/api/src/modules/backups/read-backup.ts';
import { restoreBackup } from '../apps/api/src/modules/backups/restore-backup.ts';
import { withCopyClient } from '../apps/api/src/modules/backups/schema.ts';
import { verifyBackup } from '../apps/api/src/modules/backups/verify-backup.ts';
import { writeBackup } from '../apps/api/src/modules/backups/write-backup.ts';
import { fillChats, makePairs } from '../apps/api/test/measured/chat-people.ts';
import { openScratch } from '../apps/api/test/measured/scratch.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';

const CHATS = sized(400, 40);
const MESSAGES_PER_CHAT = sized(5_000, 1_000);
/** 10 GB in 5 min. */
const GOAL_MB_PER_S = 34;
const MEGABYTE = 1e6;

/** A backup, its proof and a restore of a database of messages; the peer is a bare COPY of the same rows to nowhere. */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const scratch = openScratch();
  try {
    const url = await scratch.startDatabase();
    const megabytes = await fill(url);
    console.log(`     a database of ${megabytes.toFixed(0)} MB, ${CHATS * MESSAGES_PER_CHAT} messages`);
    const file = join(scratch.folder, 'bench.sendlap');
    const secrets = createSecrets('the secret of the bench, longer than 32 characters');
    const bare_s = await timed(() => copyBare(url));
    const write_s = await timed(async () => {
      const { bytes } = await writeBackup({ database_url: url, secrets, now: () => new Date() }, file);
      sheet.add('size of the backup', `${((100 * bytes) / MEGABYTE / megabytes).toFixed(0)} % of the database`);
    });
    sheet.goal('written, MB of the database a second', megabytes / write_s, { at_least: GOAL_MB_PER_S }, ' MB/s');
    sheet.add('time of the writing against a bare COPY', `${(write_s / bare_s).toFixed(2)} ×`);
    let backup: CheckedBackup | undefined;
    const check_s = await timed(async () => {
      backup = await checkBackup(file);
    });
    if (!backup) throw new Error('the backup was not checked');
    sheet.add('every byte checked', `${check_s.toFixed(1)} s`);
    const good = backup;
    sheet.add(
      'proved by a restore',
      `${(megabytes / (await timed(() => verifyBackup(good, url, async () => null)))).toFixed(0)} MB/s`,
    );
    const other_url = await scratch.addDatabase('restored');
    const restore_s = await timed(() => restoreBackup(good, { database_url: other_url }));
    sheet.add('restored', `${(megabytes / restore_s).toFixed(0)} MB/s`);
    return sheet.figures;
  } finally {
    await scratch.remove();
  }
}

/** Returns the size of the database, MB. */
async function fill(url: string): Promise<number> {
  const database = openDatabase(url, { is_unlimited: true });
  try {
    const pairs = await makePairs(database, CHATS / 4, 4);
    await fillChats(
      database,
      pairs.map(({ chat_id }) => chat_id),
      MESSAGES_PER_CHAT,
    );
  } finally {
    await database.destroy();
  }
  return withCopyClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes');
    return (rows[0]?.bytes ?? 0) / MEGABYTE;
  });
}

function copyBare(url: string): Promise<void> {
  return withCopyClient(url, async (client) => {
    for await (const chunk of copyOut(client, 'copy messages to stdout')) void chunk;
  });
}

/** Returns seconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun_at = performance.now();
  await work();
  return (performance.now() - begun_at) / 1000;
}
