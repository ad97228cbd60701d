import { expect, type Page } from '@playwright/test';
import { PATHS } from '../../apps/web/src/shared/paths.ts';
import { WITH_WORKER, waitForWorker } from '../people/athlete.ts';
import { openPool, startSwimming } from '../people/swimming.ts';
import { chooseLanguage } from '../screens/look.ts';
import { makeOperatorAndManager, type StaffScene } from './staff-screens.ts';
import { checkThemes, openPhone, type Walk, watchConsole } from './walk.ts';

/** A sheet or form that is closed when its screen opens. */
interface OpenPart {
  path: string;
  /** The name of the button that opens it; of several, the first is pressed. */
  button: RegExp;
}

const fill = (path: string, id: string) => path.replace(/:\w+/, id);

/** Sheets that one button opens on the phone of a new athlete. */
const listSheets = ({ unclaimed_id }: StaffScene): Record<string, OpenPart> => ({
  name: { path: PATHS.profile, button: /^(Change name|Cambiar el nombre)$/ },
  everywhere: { path: PATHS.devices, button: /^(Sign out everywhere|Cerrar sesión en todas partes)$/ },
  blocks: { path: PATHS.friends, button: /^(Blocked people|Personas bloqueadas)$/ },
  dates: { path: PATHS.history, button: /^(Dates|Fechas)$/ },
  ask: { path: fill(PATHS.sportCenter, unclaimed_id), button: /^(Ask the center for it|Pídeselo al centro)$/ },
});

/** Forms that one button opens on the phone of an operator who manages the center. */
const listForms = ({ center_id, referee_public_id }: StaffScene): Record<string, OpenPart> => ({
  details: {
    path: fill(PATHS.centerManagement, center_id),
    button: /^(Change details|Cambiar los datos)$/,
  },
  hours: { path: fill(PATHS.centerManagement, center_id), button: /^(Change hours|Cambiar el horario)$/ },
  suspend: {
    path: fill(PATHS.person, referee_public_id),
    button: /^(Suspend account|Suspender la cuenta)$/,
  },
});

/** Looks at each sheet and form that a button opens, and at those of unsent work. Returns their number. */
export async function walkOpenParts(walk: Walk, staffed: StaffScene): Promise<number> {
  const sheets = await walkParts(walk, 'sheets', listSheets(staffed));
  const forms = await walkParts(walk, 'forms', listForms(staffed), (user_id) =>
    makeOperatorAndManager(walk.server, user_id, staffed.center_id),
  );
  return sheets + forms + (await walkUnsent(walk));
}

async function walkParts(
  walk: Walk,
  kind: string,
  parts: Record<string, OpenPart>,
  prepare?: (user_id: string) => Promise<void>,
): Promise<number> {
  const { language, only } = walk;
  const { context, page, user_id } = await openPhone(walk);
  await prepare?.(user_id);
  const noteErrors = watchConsole(context, `${kind}-${language}`);
  const chosen = Object.entries(parts).filter(([name]) => only.length === 0 || only.includes(name));
  for (const [name, { path, button }] of chosen) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(path);
    await page.getByRole('button', { name: button }).first().click();
    await look(walk, page, name);
  }
  noteErrors();
  await context.close();
  return chosen.length;
}

const look = (walk: Walk, page: Page, name: string) =>
  checkThemes(page, `open-${name}-${walk.language}`, { at_every_width: walk.language === 'es' });

/**
 * Looks at a finished activity and then, without a network, at the sheet of its correction, the toast of its deletion,
 * the list of the outbox, and the question about unsent work at the sign-out. Returns how many were seen.
 */
async function walkUnsent(walk: Walk): Promise<number> {
  const { server, language, only } = walk;
  if (only.length > 0 && !only.includes('unsent')) return 0;
  const { context, page } = await openPhone({ ...walk, language: 'en' }, WITH_WORKER);
  await openPool({ page }, server);
  await waitForWorker(page);
  await startSwimming({ page });
  await chooseLanguage(page, language);
  await page.reload();
  await page.getByRole('button', { name: /^(Finish|Terminar)$/ }).click();
  const correct = page.getByRole('button', { name: /^(Correct|Corregir)$/ });
  await correct.waitFor({ timeout: 60_000 });
  await look(walk, page, 'finished');
  await context.setOffline(true);
  await correct.click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Save the correction|Guardar la corrección)$/ })
    .waitFor();
  await look(walk, page, 'correct');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^(Delete|Eliminar)/ })
    .first()
    .click();
  await look(walk, page, 'deleted');
  await page.getByRole('button', { name: /(Show|Ver) (the list|la lista)$/ }).click();
  await look(walk, page, 'outbox');
  await page.keyboard.press('Escape');
  await page.goto(PATHS.profile);
  await page.getByRole('button', { name: /^(Sign out|Cerrar sesión)$/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(walk, page, 'sign-out-unsent');
  await context.close();
  return 5;
}
