import { pollUntil } from '../../apps/api/test/delays.ts';
import { activityPath } from './activity-page.ts';
import { isRightTime } from './alterations.ts';
import type { Holder } from './cast.ts';
import type { Life } from './life.ts';
import { isEverythingSent, readPhoneRows } from './phone-rows.ts';

const CLOCK_UNSURE = 'clock_unsure';
const SENT_WITHIN_MS = 15_000;

/** The app asks when an activity was if its clock was set at a time that nothing tells: the athlete says it. */
export async function answerClockQuestions({ scene, hardships }: Life, { phone }: Holder): Promise<void> {
  const { server, report, notebook } = scene;
  const page = phone.page();
  const asked = (await readPhoneRows(page)).dead.filter(({ code }) => code === CLOCK_UNSURE);
  for (const [client_id, [question]] of Map.groupBy(asked, (op) => op.client_id)) {
    if (hardships.clock_changes + hardships.offline_clock_changes === 0)
      report.add('stuck', `asks when ${client_id} was, and no clock was set`);
    const { proposals = [] } = question ?? {};
    const steps = notebook.activities.get(client_id)?.steps ?? [];
    const right = proposals.findIndex((times) => isRightTime(times, steps));
    scene.trace.tell(`asks when ${client_id} was: ${JSON.stringify(proposals)}, ${right} is right`);
    if (right < 0) {
      report.add('altered', `activity ${client_id}: no right time is offered`);
      continue;
    }
    await page.goto(server.url + activityPath(client_id), { waitUntil: 'commit' });
    const card = page.getByRole('alert').filter({ hasText: 'When was it?' });
    await card.getByRole('button').nth(right).click();
    const isAnswered = async () => {
      const rows = await readPhoneRows(page);
      return isEverythingSent(rows) && !rows.dead.some((op) => op.client_id === client_id);
    };
    if (!(await pollUntil(isAnswered, { patience_ms: SENT_WITHIN_MS, interval_ms: 200 })))
      report.add('stuck', `the times of ${client_id} after the answer`);
  }
}
