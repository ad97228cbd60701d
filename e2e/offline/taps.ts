import type { Locator, Page } from '@playwright/test';
import type { Operator } from '../../apps/api/test/app/operator.ts';
import type { Server } from '../server/server.ts';
import type { ClaimCounts } from './claims.ts';
import type { Notebook, TimeSpan } from './notebook.ts';
import type { Person } from './person.ts';
import type { Phone } from './phone.ts';
import type { Trace } from './trace.ts';
import type { DamageReport } from './verdict.ts';

/** One life's world. */
export interface Scene {
  server: Server;
  operator: Operator;
  /** Where the athletes train. */
  center_id: string;
  friend_name: string;
  notebook: Notebook;
  report: DamageReport;
  trace: Pick<Trace, 'tell'>;
  claims: ClaimCounts;
}

/** Who acts, and where. `interrupt`: begins with the tap, and ends once the phone is killed. */
export interface Actor {
  phone: Phone;
  person: Person;
  interrupt?: (() => Promise<void>) | undefined;
}

interface Tap {
  tap: () => Promise<unknown>;
  /** Resolves once the screen has answered, with whether it says that the step is saved. */
  acknowledged: () => Promise<boolean>;
}

/** What came of a tap. */
interface Tapped {
  /** The app said that it is saved. */
  is_saved: boolean;
  /** Between the tap and the word of the screen, by the server's clock. */
  at: TimeSpan;
}

/** Throws if the screen says nothing, unless it was interrupted. */
export async function perform(
  { interrupt }: Actor,
  { server }: Pick<Scene, 'server'>,
  { tap, acknowledged }: Tap,
): Promise<Tapped> {
  const from_ms = server.now();
  const tapped = (is_saved: boolean) => ({ is_saved, at: { from_ms, until_ms: server.now() } });
  const work = async () => {
    await tap();
    return acknowledged();
  };
  if (!interrupt) return tapped(await work());
  // Of a killed browser, some promises are never settled.
  const interrupted = interrupt();
  const is_saved = await Promise.race([work().catch(() => false), interrupted.then(() => false)]);
  await interrupted;
  return tapped(is_saved);
}

/** Resolves with true at the sight of the one, with false at the other's. */
export async function whichComes(saved: Locator, refused: Locator): Promise<boolean> {
  await saved.or(refused).first().waitFor();
  return saved.first().isVisible();
}

/** What a screen says while it waits for an answer, and what it says when there is neither an answer nor a copy. */
const TELLS_OF_NO_COPY =
  /^(This takes longer than usual|This center is not on this device|This center could not be loaded|Error loading chats)/;

/**
 * Waits for a sight that needs a copy. Returns false if the phone has lost its copies and says that it has nothing to
 * show: without copies it may show nothing, but not for ever, and not without a word.
 */
export async function comes(
  place: Pick<Page, 'getByText'>,
  sight: Locator,
  { lacks_copies }: Person,
): Promise<boolean> {
  if (lacks_copies) return whichComes(sight, place.getByText(TELLS_OF_NO_COPY));
  await sight.first().waitFor();
  return true;
}

/** As `whichComes`, for a step whose refusal a toast tells, which the athlete then closes. */
export async function isSaved(page: Page, saved: Locator): Promise<boolean> {
  const told = page.getByText(/^(The storage of this device is full|This device could not save it|It could not be)/);
  const is_saved = await whichComes(saved, told);
  if (!is_saved) await page.locator('[data-base-ui-portal] button[aria-label=Close]').first().click();
  return is_saved;
}
