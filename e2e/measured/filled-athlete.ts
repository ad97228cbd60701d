import { randomUUID } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import { openOperator } from '../../apps/api/test/app/operator.ts';
import { isoWeekKey, localDate } from '../../packages/domain/src/dates.ts';
import { findCenterId, signUpWithoutScreens } from '../people/athlete.ts';
import { fillBoard } from '../people/crowded-board.ts';
import { POOL } from '../people/swimming.ts';
import { answerAhead, declineInstallAhead } from '../people/welcome.ts';
import type { WholeServer } from '../server/server.ts';

/** First on the board of the week. */
export const CHAMPION = 'Champion';
export const NAME = 'Bench';
const ACTIVITIES = 40;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const POINTS_OF_AN_HOUR = 441;

/** Signs an athlete in who swam every other day for three months, and is behind 60 others on the board of the week. */
export async function signInFilled(context: BrowserContext, server: WholeServer): Promise<void> {
  const { email, user_id } = await signUpWithoutScreens(context, server, NAME);
  await answerAhead(context, user_id);
  await declineInstallAhead(context);
  await addActivities(server, user_id);
  await server.sendlap('scores', 'recompute');
  await fillBoard(server, { email }, CHAMPION);
}

async function addActivities(server: WholeServer, user_id: string): Promise<void> {
  const sport_center_id = await findCenterId(server, POOL);
  const operator = await openOperator(server);
  try {
    const rows = Array.from({ length: ACTIVITIES }, (_, nth) => {
      const started_at = new Date(server.now() - (2 * nth + 1) * DAY_MS);
      return {
        id: randomUUID(),
        decision_id: randomUUID(),
        started_at,
        ended_at: new Date(started_at.getTime() + HOUR_MS),
      };
    });
    const place = { sport_center_id, sport_type: 'swimming' as const };
    const proof = ({ decision_id, ended_at }: (typeof rows)[number]) => ({
      validation: 'venue' as const,
      validated_at: ended_at,
      decision_id,
      counted_minutes: 60,
    });
    const facts = ({ started_at }: { started_at: Date }) => {
      const local_date = localDate(started_at.getTime(), 'Europe/Madrid');
      return { local_date, week_key: isoWeekKey(local_date), intensity: 'moderate' as const, distance_m: 1500 };
    };
    await operator.database
      .insertInto('activities')
      .values(
        rows.map((row) => ({
          ...row,
          ...facts(row),
          user_id,
          ...place,
          status: 'validated' as const,
          ...proof(row),
          points: POINTS_OF_AN_HOUR,
          rule_version: 'met-2',
        })),
      )
      .execute();
    await operator.database
      .insertInto('score_ledger')
      .values(
        rows.map((row) => ({
          user_id,
          activity_id: row.id,
          kind: 'validation' as const,
          points: POINTS_OF_AN_HOUR,
          rule_version: 'met-2',
          inputs: JSON.stringify({
            ...facts(row),
            ...place,
            started_at: row.started_at,
            ended_at: row.ended_at,
            ...proof(row),
          }),
          created_at: row.ended_at,
        })),
      )
      .execute();
  } finally {
    await operator.close();
  }
}
