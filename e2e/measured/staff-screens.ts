import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { type Operator, openOperator } from '../../apps/api/test/app/operator.ts';
import { recordFindings } from '../browser/sights.ts';
import { appeal, decide, openClimber, recordClimb } from '../canaries/activities.ts';
import { makeRefereeAndManager, signUpCaller } from '../canaries/people.ts';
import { checkLayoutShiftOnLoad } from '../screens/every-look.ts';
import type { WholeServer } from '../server/server.ts';
import { checkThemes, openPhone, type Walk, watchConsole } from './walk.ts';

/** What the screens of operators and managers show: a center with staff, an appeal and unusual decisions, a report. */
export interface StaffScene {
  center_id: string;
  unclaimed_id: string;
  /** The referee's decisions are unusual. */
  referee_public_id: string;
}

/** A referee who only rejects is flagged from 5 decisions on; one more, because the appeal reopens one. */
const REJECTIONS = 6;
/** A busy machine loads the sections of a page one after the other. */
const PATIENCE_MS = 15_000;
const NAMES = { athlete: 'سارة الراشد', referee: 'María Inmaculada Etxeberria-Goikoetxea' };

/** Fills the lists of operators and managers, with a name written from right to left and a long one. */
export async function fillLists(server: WholeServer): Promise<StaffScene> {
  const operator = await openOperator(server.data_dir, () => new Date(server.now()));
  try {
    const [center_id = '', unclaimed_id = ''] = await readClimbingCenters(operator);
    const referee = await signUpCaller(server, operator, NAMES.referee);
    const athlete = await signUpCaller(server, operator, NAMES.athlete);
    await makeRefereeAndManager(operator, referee, [center_id]);
    const climber = await openClimber(athlete, server.now);
    for (let slot = 0; slot < REJECTIONS; slot += 1) {
      const climb = await recordClimb(climber, center_id, slot);
      await decide(referee, climber, climb, { decision: 'reject', reason: 'Not here' });
      if (slot === 0) await appeal(climber, climb, 'I climbed all of it');
    }
    const message = 'I am the trainer, ask at the desk';
    await athlete.send('POST', `/v1/sport-centers/${unclaimed_id}/claim/request`, { message });
    const report = { client_id: randomUUID(), user_id: referee.id, reason: 'other', text: 'Rejects everybody' };
    await athlete.send('POST', '/v1/reports', report);
    return { center_id, unclaimed_id, referee_public_id: referee.public_id };
  } finally {
    await operator.close();
  }
}

async function readClimbingCenters({ database }: Operator): Promise<string[]> {
  const rows = await database
    .selectFrom('sport_facilities')
    .select('sport_center_id')
    .distinct()
    .where('type', '=', 'climbing')
    .orderBy('sport_center_id')
    .limit(2)
    .execute();
  return rows.map(({ sport_center_id }) => sport_center_id);
}

/** Looks at each screen of an operator who manages the center. Returns how many were seen. */
export async function walkStaff(
  walk: Walk,
  { center_id, unclaimed_id, referee_public_id }: StaffScene,
): Promise<number> {
  const { server, language, only } = walk;
  const { context, page, user_id } = await openPhone(walk);
  const noteErrors = watchConsole(context, `staff-${language}`);
  await makeOperatorAndManager(server, user_id, center_id);
  const center = `/sport-centers/${center_id}`;
  // With the names that the lists must show.
  const screens: Record<string, [path: string, ...shown: string[]]> = {
    setup: ['/setup'],
    server: ['/manage'],
    people: ['/manage/people', 'Anastasia Hohenberger-Villalobos'],
    person: [`/manage/people/${referee_public_id}`, NAMES.referee],
    add: ['/manage/add'],
    staffed: ['/manage/centers'],
    reports: ['/manage/reports', NAMES.referee],
    reviews: ['/manage/reviews', NAMES.referee],
    audit: ['/manage/audit'],
    claims: ['/manage/claims', NAMES.athlete],
    manage: [`${center}/manage`, NAMES.athlete, `${NAMES.referee} (${referee_public_id})`],
    poster: [`${center}/poster`],
    claim: [`/sport-centers/${unclaimed_id}/claim`],
  };
  let seen = 0;
  for (const [screen, [path, ...shown]] of Object.entries(screens)) {
    if (only.length > 0 && !only.includes(screen)) continue;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const loading = page.getByRole('status', { name: /^(Loading|Cargando)$/ });
    await expect(loading).toHaveCount(0, { timeout: PATIENCE_MS });
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
    for (const name of shown) await expect(page.getByRole('main')).toContainText(name);
    await checkThemes(page, `staff-${screen}-${language}`, { at_every_width: language === 'es' });
    if (language === 'es') await checkLayoutShiftOnLoad(page, `staff-${screen}-${language}`, recordFindings);
    seen += 1;
  }
  noteErrors();
  await context.close();
  return seen;
}

/** Makes the user an operator, and a manager and referee of the center. */
export async function makeOperatorAndManager(server: WholeServer, user_id: string, center_id: string): Promise<void> {
  const operator = await openOperator(server.data_dir, () => new Date(server.now()));
  try {
    await operator.database.insertInto('operators').values({ user_id }).execute();
    await makeRefereeAndManager(operator, { id: user_id }, [center_id]);
  } finally {
    await operator.close();
  }
}
