import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFaultOfRefusal, makeBadFiles } from '../e2e/drill/bad-files.ts';
import { countDamage, printRehearsal } from '../e2e/drill/print.ts';
import { type Rehearsal, type RehearsalSize, rehearse } from '../e2e/drill/rehearse.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { startCuttingProxy } from './load/cutting-proxy.ts';

const SMALL: RehearsalSize = { per_kind: 2, chats: 10, messages_per_chat: 1_000 };
const FULL: RehearsalSize = { per_kind: 10, chats: 200, messages_per_chat: 2_000 };
const BAD_FILES = sized(100, 9);
const CUT_SHARE = 0.03;

/**
 * The drill of a lost server: it is filled and backed up under load, its folder is deleted, the backup is restored at
 * another port, and phones come back with work that is newer than the backup, or than the server. Nothing that the server
 * had acknowledged may be lost or doubled while a phone still holds it; what cannot come back is refused by name, or stays
 * on the phone. Control arm: a restore without a new epoch. Then truncated, changed and foreign files: each refused in one
 * line, and nothing changes.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-drill-files-'));
  await chmod(folder, 0o711);
  try {
    const backup_file = join(folder, 'club.sendlap');
    const secret_file = join(folder, 'secret');
    const result = await rehearse({ ...sized(FULL, SMALL), backup_file, secret_file, undoes_epoch: false, openLine });
    judge(sheet, result);
    await refuseBadFiles(sheet, folder, await readFile(backup_file), await readFile(secret_file));
    const files = { backup_file: join(folder, 'control.sendlap'), secret_file: join(folder, 'control-secret') };
    const control = await rehearse({ ...SMALL, ...files, undoes_epoch: true, openLine });
    printRehearsal(control);
    const { lost, wrongly_refused } = countDamage(control);
    sheet.control('no new epoch', lost > 0, `${lost} lost, ${wrongly_refused} wrongly refused`);
    return sheet.figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const openLine = (target_port: () => number) => startCuttingProxy(target_port, CUT_SHARE);

function judge(sheet: FigureSheet, result: Rehearsal): void {
  printRehearsal(result);
  const { acknowledged, missing_in_backup, lost, doubled, wrongly_refused, stuck, kept, refused } = countDamage(result);
  const { rows, during_backup, backup_s, restore_s, cuts } = result;
  sheet.add('acknowledged', `${acknowledged}, of them ${missing_in_backup} not in the backup, ${cuts} replies cut`);
  sheet.add('lost, doubled, wrongly refused, stuck', [lost, doubled, wrongly_refused, stuck].join(', '));
  sheet.add('of accounts and chats since the backup', `${kept} kept on the phones, ${refused} refused by name`);
  sheet.add(
    'backup and restore',
    `${rows} messages in ${backup_s.toFixed(1)} s, with ${during_backup} acknowledged while it ran; ${restore_s.toFixed(1)} s`,
  );
  if (lost + doubled + wrongly_refused + stuck > 0) throw new Error('work was lost, doubled, wrongly refused or stuck');
  if (during_backup === 0) throw new Error('the backup met no load');
  const unmet = result.kinds.filter((end) => end.missing_in_backup === 0).map(({ kind }) => kind);
  if (unmet.length > 0) throw new Error(`the backup lacked nothing of: ${unmet.join(', ')}`);
}

async function refuseBadFiles(sheet: FigureSheet, folder: string, good: Buffer, secret: Buffer): Promise<void> {
  const faults: string[] = [];
  for (const file of makeBadFiles(good, BAD_FILES)) {
    const fault = await findFaultOfRefusal(file, folder, secret);
    if (fault !== undefined) faults.push(fault);
  }
  for (const fault of faults) console.log(`   ! ${fault}`);
  sheet.add('truncated, changed and foreign files', `${BAD_FILES - faults.length} of ${BAD_FILES} refused`);
  if (faults.length > 0) throw new Error(`${faults.length} files were not refused as they have to be`);
}
