import { findCenterId } from '../e2e/people/athlete.ts';
import { POOL } from '../e2e/people/swimming.ts';
import { type LifeEnd, live } from '../e2e/offline/life.ts';
import { planLife } from '../e2e/offline/plan.ts';
import { startServer } from '../e2e/server/server.ts';
import { prepareBrowser } from '../tools/programs/measure-in-browser.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';

export async function run(_flags: Record<string, boolean>, { seed = '1', count = '1' }: Record<string, string>): Promise<Figure[]> {
  await prepareBrowser();
  const sheet = openFigureSheet();
  const server = await startServer({ is_printing: false });
  try {
    const center_id = await findCenterId(server, POOL);
    for (let n = Number(seed); n < Number(seed) + Number(count); n += 1) {
      const plan = planLife(n);
      const t0 = performance.now();
      console.log(JSON.stringify(plan));
      const end: LifeEnd = await live(plan, { server, center_id });
      console.log(n, plan.trouble, ((performance.now() - t0) / 1000).toFixed(1), JSON.stringify(end.report.damage), end.acknowledged, JSON.stringify(end.hardships), end.report.lines);
    }
    return sheet.figures;
  } finally {
    await server.remove();
  }
}
