import { ACTIVITY_TIME_STEP_MS, timeStepAt } from '@sendlap/domain/qr-code.ts';
import { HOUR_MS, iso, MINUTE_MS, type PlannedActivity, resultOf, type Stage } from '../attacks/attack.ts';
import { FIRST_MOMENT, type Person } from '../scenes/clocked-world.ts';

const STARTED = FIRST_MOMENT + HOUR_MS;
const ENDED = STARTED + HOUR_MS;
/** When the phones have a network again. */
const SENT = ENDED + 3 * HOUR_MS;

/**
 * Two friends scan the kiosk's codes on phones without a network, the day before the club's weeks. Their ops are accepted,
 * and the activities say that the codes came late; then a referee's scan of one, and this one's scan of the other, also made
 * without a network, confirm them. Returns what should have happened and what did.
 */
export async function visitKioskOffline(stage: Stage): Promise<{ expected: string; found: string }[]> {
  const { world } = stage;
  const [one, other, referee] = [await world.makePerson('Iris'), await world.makePerson('Ivo'), await stage.referee()];
  await world.befriend(one, other);
  const visits: { who: Person; scanner: Person; method: string; planned: PlannedActivity }[] = [
    { who: one, scanner: referee, method: 'referee', planned: { ...stage.climb(), started: STARTED, ended: ENDED } },
    { who: other, scanner: one, method: 'peer', planned: { ...stage.climb(), started: STARTED, ended: ENDED } },
  ];
  stage.now = SENT;
  const codeAt = (at: number) => ({ venue_scan: { payload: stage.venueCode(at), scanned_at: iso(at) } });
  const outcomes = visits.map(({ method }) => ({
    expected: `accepted accepted none venue_code_late accepted ${method}`,
    found: '',
  }));
  for (const [nth, { who, planned }] of visits.entries()) {
    const started = resultOf(await stage.start(planned, codeAt(STARTED), who));
    const finished = resultOf(await stage.finish(planned, codeAt(ENDED), who));
    const { validation, proof_note } = await stage.look(planned, who);
    Object.assign(outcomes[nth] as object, { found: `${started} ${finished} ${validation} ${proof_note}` });
  }
  const scanned = ENDED + 5 * MINUTE_MS;
  for (const [nth, { who, scanner, planned }] of visits.entries()) {
    const { payload } = stage.code(planned, { step: timeStepAt(scanned, ACTIVITY_TIME_STEP_MS) }, who, who);
    const result = await stage.scanned(payload, { scanned_at: iso(scanned), recorded_offline: true }, scanner);
    const { validation } = await stage.look(planned, who);
    const outcome = outcomes[nth] as { found: string };
    outcome.found += ` ${result} ${validation}`;
  }
  return outcomes;
}
