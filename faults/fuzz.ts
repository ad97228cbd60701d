import { CHECKS_OFF } from '../apps/api/test/fuzz/checks-off.ts';
import { chooseSeeds, type FuzzSeed, USUAL_SEED } from '../apps/api/test/fuzz/fuzz-seeds.ts';
import { findUnaccepted } from '../apps/api/test/fuzz/never-accepted.ts';
import type { FuzzReport } from '../apps/api/test/fuzz/play-requests.ts';
import type { FuzzOrder } from '../apps/api/test/fuzz/run-fuzz.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { runForReport } from '../tools/programs/run-for-report.ts';

const REQUESTS = sized(24_000, 2_000);
const CONTROL_REQUESTS = 6_000;
/** As many as each operation needs to accept one of its requests. */
const REQUESTS_OF_ALL = 24_000;
/** Of fewer accepted requests, the rest would only meet the first checks. */
const MIN_ACCEPTED = 0.05;

/**
 * Requests to every operation of the OpenAPI document and to the pages of the own provider, made of schemas and of the
 * matrix's rows and then broken: values, sizes, encodings, order, repeated keys, huge numbers, odd Unicode. Each operation
 * accepts some, or `never-accepted.ts` says why not. No reply may be a 5xx or a 403, have another shape than the contract says or
 * show the inside, and a refused request changes nothing. Seeds that once found something
 * are sent again; `--seed 2` sends other requests alone, `--seed today` those of the day. Control arms: protections taken
 * out of the code.
 */
export async function run(_flags: object, { seed: wanted }: { seed?: string }): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const seeds = chooseSeeds(wanted, { requests: REQUESTS, now: new Date() });
  for (const one of seeds) await playAll(sheet, one);

  const unchecked = await play({ seed: USUAL_SEED, requests: CONTROL_REQUESTS, is_unchecked: true });
  for (const [name, { operations, finding }] of Object.entries(CHECKS_OFF)) {
    const found = unchecked.problems.filter(
      (problem) => finding.test(problem) && operations.some((operation) => problem.includes(operation)),
    );
    sheet.control(`without ${name}`, found.length > 0, `${found.length} found`);
  }
  return sheet.figures;
}

async function playAll(sheet: FigureSheet, { seed, requests }: FuzzSeed): Promise<void> {
  const { sent, accepted, answers, operations, gaps, problems } = await play({ seed, requests, is_unchecked: false });
  for (const [answer, count] of Object.entries(answers).sort((a, b) => b[1] - a[1]))
    console.log(`   ${String(count).padStart(7)}  ${answer}`);
  for (const problem of problems.slice(0, 50)) console.log(`   ! ${problem}`);
  sheet.add(`requests with a wrong reply, seed ${seed}`, `${problems.length} of ${sent}`, `, accepted ${accepted}`);
  if (problems.length > 0)
    throw new Error(`a request was answered as none may be; to see it again: npm run faults -- fuzz --seed ${seed}`);
  if (accepted < sent * MIN_ACCEPTED) throw new Error(`only ${accepted} of ${sent} requests were accepted`);
  // Of few requests to an operation all may be refused.
  const idle = [...gaps, ...(sent < REQUESTS_OF_ALL ? [] : findUnaccepted(operations))];
  for (const line of idle) console.log(`   ! ${line}`);
  if (idle.length > 0) throw new Error('some operations got no request, or none that they accept');
}

function play(order: FuzzOrder): Promise<FuzzReport> {
  return runForReport(new URL('../apps/api/test/fuzz/run-fuzz.ts', import.meta.url), order);
}
