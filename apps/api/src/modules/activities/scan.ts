import type { Op } from '@sendlap/contract/activities.ts';
import { nextState } from '@sendlap/domain/activity-states.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { type ActivityCode, readCode } from '@sendlap/domain/qr-code.ts';
import { checkActivityScan } from '@sendlap/domain/scan-checks.ts';
import type { DeviceService } from '#api/modules/devices/service.ts';
import type { LeaderboardService } from '#api/modules/leaderboards/service.ts';
import type { RefereeService } from '#api/modules/referees/service.ts';
import type { Database, Trx } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { countConfirmations } from './op-store.ts';
import { refusalOf } from './refusals.ts';
import { rescoreDay } from './score-day.ts';
import { checkDuration, overlapRefusal, type StepContext, stampAtCenter } from './steps.ts';
import { type ActivityRow, findActivity, findOverlap, updateActivity } from './store.ts';

const MAX_PAIR_CONFIRMATIONS = 3;
const MAX_REFEREE_CONFIRMATIONS = 40;
/** Before a week is closed, 15 days after its end, all its scans have come or are refused. */
const MAX_SCAN_AGE_MS = 14 * 86_400_000;
const LATE_MS = 60_000;

export interface ScanContext extends StepContext {
  devices: DeviceService;
  referees: RefereeService;
  leaderboards: LeaderboardService;
}

type ScanOp = Extract<Op, { kind: 'scan' }>;

/** A scan whose code was proven to come from the athlete's device. */
export interface ProvenScan {
  op: ScanOp;
  code: ActivityCode;
  athlete_id: string;
  scanner_id: string;
  /** By the server's clock. */
  scanned_at: Date;
  received_at: Date;
}

/** Reads the code and checks its MAC; nothing is written. The scanned time is corrected by the scanner's offset. */
export async function proveScan(
  executor: Database | Trx,
  devices: DeviceService,
  scanner_id: string,
  op: ScanOp,
  received_at: Date,
): Promise<ProvenScan> {
  const bytes = fromBase64Url(op.payload);
  const read = bytes && readCode(bytes);
  if (!read) throw new AppError('code_unreadable', 'This is not a code of this app');
  if (read.kind !== 'activity') throw new AppError('code_kind_unsupported', 'This code does not show an activity');
  if (read.code.activity_id !== op.client_id.toLowerCase()) {
    throw new AppError('payload_mismatch', 'The code belongs to another activity');
  }
  const athlete_id = await devices.ownerOf(executor, read.code.key_id, read.body, read.mac);
  if (athlete_id === scanner_id) throw new AppError('own_activity', 'Nobody can confirm an activity of their own');
  const scanned_at = new Date(Date.parse(op.scanned_at) + op.clock.offset_ms);
  return { op, code: read.code, athlete_id, scanner_id, scanned_at, received_at };
}

/**
 * Decides a proven scan. Gives 'waiting' while the athlete's own steps have not arrived. All checks come before the
 * first write: a refusal changes nothing and uses nothing up.
 */
export async function decideScan(trx: Trx, context: ScanContext, scan: ProvenScan): Promise<'accepted' | 'waiting'> {
  await checkRight(trx, context.referees, scan);
  const row = await findActivity(trx, scan.athlete_id, scan.code.activity_id);
  checkTimes(scan, row);
  if (!row || row.status === 'active') return 'waiting';
  const next = nextState(row.status, scan.op.decision);
  if ('error' in next) throw refusalOf(next.error);
  if (scan.op.decision === 'reject') {
    await updateActivity(trx, row, { status: 'rejected', last_step: scan.code.step });
    return 'accepted';
  }
  await confirm(trx, context, scan, row);
  return 'accepted';
}

async function checkRight(
  trx: Trx,
  referees: RefereeService,
  { code, scanner_id, scanned_at }: ProvenScan,
): Promise<void> {
  const sports = await referees.sportsOf(trx, scanner_id, code.sport_center_id, scanned_at);
  if (sports.length === 0) throw new AppError('not_a_referee', 'You are not a referee of this center');
  if (!sports.includes(code.sport_type)) throw new AppError('sport_not_refereed', 'You do not referee this sport here');
}

function checkTimes({ op, code, scanned_at, received_at }: ProvenScan, row: ActivityRow | undefined): void {
  const late_ms = received_at.getTime() - scanned_at.getTime();
  if (late_ms > MAX_SCAN_AGE_MS) throw new AppError('scan_too_old', 'A scan can be sent for 14 days');
  const refusal = checkActivityScan({
    code_step: code.step,
    scanned_at_ms: scanned_at.getTime(),
    // A scan that comes late waited on the phone, whatever it says: the server was away, or the network.
    recorded_offline: op.recorded_offline || late_ms > LATE_MS,
    started_at_ms: code.started_at,
    ended_at_ms: code.ended_at,
    now_ms: received_at.getTime(),
    last_accepted_step: row?.last_step ?? null,
  });
  if (refusal) throw refusalOf(refusal);
}

/** The facts of the code (or of the referee's correction) become the activity's facts, and are scored. */
async function confirm(trx: Trx, context: ScanContext, scan: ProvenScan, row: ActivityRow): Promise<void> {
  const { code, athlete_id, op } = scan;
  const started_at = new Date(code.started_at);
  checkAdjustment(scan);
  const ended_at = op.adjust?.ended_at ? new Date(op.adjust.ended_at) : new Date(code.ended_at);
  checkDuration(started_at, ended_at);
  const stamp = stampAtCenter(context, code.sport_center_id, code.sport_type, started_at);
  const overlap = await findOverlap(trx, athlete_id, { from: started_at, to: ended_at, except: row.id });
  if (overlap) throw overlapRefusal(overlap);
  await checkCaps(trx, scan, stamp.local_date);
  await updateActivity(trx, row, {
    ...stamp,
    status: 'validated',
    validation: 'referee',
    sport_center_id: code.sport_center_id,
    sport_type: code.sport_type,
    started_at,
    ended_at,
    intensity: op.adjust?.intensity ?? code.intensity,
    intensity_confirmed: op.adjust?.intensity !== undefined,
    distance_m: op.adjust?.distance_m ?? code.distance_m,
    validated_at: scan.scanned_at,
    last_step: code.step,
  });
  await rescoreDay(trx, athlete_id, stamp.local_date, row.id);
  await context.leaderboards.recomputeWeek(trx, athlete_id, stamp.week_key);
}

/** A referee can take time away, and say how far and how hard; nobody can add time to what the code says. */
function checkAdjustment({ op: { adjust }, code }: ProvenScan): void {
  if (adjust?.ended_at && Date.parse(adjust.ended_at) > code.ended_at) {
    throw new AppError('adjust_invalid', 'The end can only be made earlier');
  }
  if (adjust?.distance_m !== undefined && code.sport_type !== 'swimming') {
    throw new AppError('adjust_invalid', 'Only swimming has a distance');
  }
}

async function checkCaps(trx: Trx, { scanner_id, athlete_id, code }: ProvenScan, local_date: string): Promise<void> {
  const pair = { local_date, athlete_id, sport_center_id: code.sport_center_id };
  if ((await countConfirmations(trx, scanner_id, pair)) >= MAX_PAIR_CONFIRMATIONS) {
    throw new AppError('pair_limit_reached', 'You confirmed this athlete 3 times here today; ask another referee');
  }
  if ((await countConfirmations(trx, scanner_id, { local_date })) >= MAX_REFEREE_CONFIRMATIONS) {
    throw new AppError('referee_limit_reached', 'You confirmed 40 activities today; ask another referee');
  }
}
