import type { Page } from '@playwright/test';
import {
  activityPath,
  centerManagementPath,
  chatPath,
  PATHS,
  sportCenterPath,
} from '../../apps/web/src/shared/paths.ts';
import { messageField } from '../screens/chat-page.ts';
import type { Channel } from './canaries.ts';
import { isEdited } from './center-files.ts';
import type { Person, Places } from './screens.ts';

/** A part of a screen that is closed until something is pressed. */
export interface ClosedPart {
  who: Person;
  path: string;
  /** Brings the screen into the state that has the part. */
  before?: (page: Page) => Promise<void>;
  /** Pressed one after the other: the first button with the name, or the first element of the selector. */
  press: readonly (RegExp | string)[];
  /** Selector of the opened part, a sheet by default. */
  inside?: string;
  /** The channels of which a canary must be seen inside it. */
  shows?: readonly Channel[];
  /** The last is pressed again as long as it is there: the next page of a list. */
  is_repeated?: true;
}

const SHEET = '[data-sheet]';
export const insideOf = ({ inside = SHEET }: ClosedPart): string => inside;
/** The question before an act, which has fields in it. */
const QUESTION = 'form:has([role=status])';
const OWN_TEXTS = 'shows what its own user typed, and fixed texts';
const FIXED_TEXTS = 'has fixed texts only';
const PIECE = 'is the piece of which other files make their parts';

/**
 * The files of the app that make a sheet, a dialog, a menu, a fold or a question, below its folder of sources: what opens
 * their parts, or why no text of another can be in them. A file without a row here fails a test.
 */
export function listClosedParts(places: Places): Record<string, readonly ClosedPart[] | string> {
  return {
    'app/welcome/WelcomeFlow.tsx': FIXED_TEXTS,
    'shared/ui/sheet/SheetSurface.tsx': PIECE,
    'shared/ui/sheet/ConfirmSheet.tsx': PIECE,
    'shared/ui/feedback/ToastRegion.tsx': 'shows the result of an act; it opens by itself',
    ...listPartsOfAthletes(places),
    ...listPartsOfOperators(places),
    ...listPartsOfStaff(places),
  };
}

/** Writes a message in the open chat that does not leave the device. */
async function writeUnsent(page: Page): Promise<void> {
  await page.route(/\/messages$/, (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  await messageField(page).fill('Hello');
  await messageField(page).press('Enter');
}

function listPartsOfAthletes({ center_ids, chat_ids, confirmed_id }: Places) {
  const at = (path: string, ...press: (RegExp | string)[]): ClosedPart => ({ who: 'athlete', path, press });
  const fold = { inside: 'details[open]' };
  // The first has a referee and a kiosk: nothing is asked for.
  const [, center_id = ''] = center_ids;
  const activity = activityPath(confirmed_id);
  const friend = 'main li button:has(bdi)';
  const chat = chatPath(chat_ids[0] ?? '');
  const profile = '[title="Profile and report"]';
  const names: { shows: readonly Channel[] } = { shows: ['name'] };
  return {
    'features/activities/ActivityActions.tsx': 'opens the sheet of a correction, which has its own row',
    'features/activities/EditSheet.tsx': [
      { ...at(activity, /^Correct$/), shows: ['center name', 'edited center name'] },
    ],
    'features/activities/NextAction.tsx': [
      { ...at(PATHS.friends, /^Start an activity$/), shows: ['edited center name'] },
    ],
    'features/activities/history/HistoryFilters.tsx': [at(PATHS.history, /^Dates$/)],
    'features/activities/points/LedgerCard.tsx': [{ ...at(activity, 'summary:has-text("History")'), ...fold }],
    'features/activities/points/ScoreBreakdown.tsx': [{ ...at(activity, 'summary:has-text("computed")'), ...fold }],
    'features/activities/proof/ProofMethods.tsx': [
      { ...at(sportCenterPath(center_id), /^Ask the center for it$/), shows: ['center name'] },
    ],
    'features/activities/running/StopSheet.tsx': OWN_TEXTS,
    'features/activities/sync/CorrectTimes.tsx': FIXED_TEXTS,
    'features/activities/sync/DiscardButton.tsx': FIXED_TEXTS,
    'features/activities/sync/OutboxSheet.tsx': [{ ...at(chat, /Show the list$/), before: writeUnsent, ...names }],
    'features/badges/BadgesPage.tsx': [at(PATHS.badges, 'main li button')],
    'features/bio-info/BodyCard.tsx': [at(PATHS.profile, /^Add body data$/)],
    'features/bio-info/BodyQuestion.tsx': OWN_TEXTS,
    'features/chats/ChatLauncher.tsx': [
      { ...at(PATHS.friends, '[data-chat-launcher]:visible'), inside: '[role=dialog]', shows: ['name', 'message'] },
    ],
    'features/chats/ChatPanel.tsx': 'is opened by the addresses of chats',
    'features/chats/panel-parts/ChatTitle.tsx': [
      { ...at(chat, profile), ...names },
      { ...at(chat, profile, /^Block$/), ...names },
    ],
    'features/chats/thread/FailedMessage.tsx': OWN_TEXTS,
    'features/dashboard/SkillRadar.tsx': FIXED_TEXTS,
    'features/dashboard/StreakTile.tsx': FIXED_TEXTS,
    'features/friends/BlocksSheet.tsx': [
      { ...at(PATHS.friends, /^Blocked people$/), shows: ['blocked name'] as const },
    ],
    'features/friends/PersonSheet.tsx': [
      { ...at(PATHS.friends, friend), ...names },
      { ...at(PATHS.friends, friend, /^Remove friend$/), ...names },
      { ...at(PATHS.friends, friend, /^Report$/), ...names },
      { ...at(PATHS.friends, friend, /^Block$/), ...names },
    ],
    'features/offline/SavedCities.tsx': [at(PATHS.profile, /^See the saved data$/)],
    'features/qr/scan/ScanPage.tsx': [{ ...at(PATHS.scan, /^Type the 8 digits$/), who: 'staff' }],
    'features/sport-centers/list/BottomSheet.tsx': 'is on the screen of centers, with its whole list',
    'features/sport-centers/search/LocationSheet.tsx': FIXED_TEXTS,
    'features/sport-centers/search/SearchField.tsx': 'suggests towns of the gazetteer, which comes with the server',
    'features/users/DeleteAccountCard.tsx': [at(PATHS.account, /^Delete account$/)],
    'features/users/ForeignWorkCard.tsx': FIXED_TEXTS,
    'features/users/ProfileHeader.tsx': [at(PATHS.profile, /^Change name$/)],
    'features/users/PublicIdCard.tsx': [at(PATHS.profile, /^Change your (public )?ID$/i)],
    'features/users/SignOut.tsx': FIXED_TEXTS,
    'features/users/SignOutEverywhere.tsx': [at(PATHS.devices, /^Sign out everywhere$/)],
  } satisfies Record<string, readonly ClosedPart[] | string>;
}

function listPartsOfOperators({ strangers }: Places) {
  const at = (path: string, press: RegExp, ...shows: Channel[]): ClosedPart => ({
    who: 'operator',
    path,
    press: [press],
    inside: QUESTION,
    shows,
  });
  const person = PATHS.person.replace(/:\w+/, strangers.at(-1)?.public_id ?? '');
  const pages = { press: [/^Show more$/], inside: 'main', is_repeated: true } as const;
  return {
    'features/claims/ClaimDecision.tsx': [
      { ...at(PATHS.claims, /^Make /, 'name'), inside: 'article, main li, main section' },
    ],
    'features/server-management/ConfirmedAction.tsx': PIECE,
    'features/server-management/AuditPage.tsx': [
      {
        ...at(PATHS.audit, /./, 'suspension', 'report outcome', 'erasure', 'withdrawal', 'kept review'),
        ...pages,
      },
    ],
    'features/server-management/PeoplePage.tsx': [{ ...at(PATHS.people, /./, 'name', 'blocked name'), ...pages }],
    'features/server-management/PersonActions.tsx': [
      at(person, /^Make operator$/, 'name'),
      at(person, /^Suspend account$/, 'name'),
      at(person, /^Erase account$/, 'name'),
    ],
    'features/server-management/ReportsPage.tsx': [
      at(PATHS.reports, /^Suspend account$/),
      at(PATHS.reports, /^Dismiss$/),
      {
        ...at(PATHS.reports, /./, 'report', 'report outcome', 'name'),
        press: ['label:has-text("Closed")'],
        inside: 'main',
      },
    ],
    'features/server-management/ReviewsPage.tsx': [
      at(PATHS.reviews, /^Leave as it is$/),
      at(PATHS.reviews, /^Take \d+ decisions? back$/),
    ],
  } satisfies Record<string, readonly ClosedPart[] | string>;
}

function listPartsOfStaff({ center_ids }: Places) {
  const center = centerManagementPath(center_ids[0] ?? '');
  const at = (path: string, press: RegExp, ...shows: Channel[]): ClosedPart => ({
    who: 'staff',
    path,
    press: [press],
    inside: 'main form',
    shows,
  });
  const ended = at(center, /^End .* right$/s, 'name');
  return {
    'features/center-management/details/DetailsSection.tsx': center_ids
      .filter((_, nth) => isEdited(nth))
      .map((id) => at(centerManagementPath(id), /^Change details$/, 'edited center name', 'edited center phone')),
    'features/center-management/hours/HoursSection.tsx': [at(center, /^Change hours$/, 'closed day')],
    'features/center-management/staff/KiosksCard.tsx': [at(center, /^End (this kiosk|all kiosks)$/)],
    'features/center-management/staff/ManagersCard.tsx': [
      at(center, /^Leave as manager$/),
      { ...ended, who: 'operator', press: ['section:has(h2:text-is("Managers")) li:has-text("hit(") button'] },
    ],
    'features/center-management/staff/RefereesCard.tsx': [
      { ...ended, press: ['section:has(h2:text-is("Referees")) li:has-text("hit(") button'] },
    ],
  } satisfies Record<string, readonly ClosedPart[] | string>;
}
