import type { Area } from './fault.ts';

const WEB = 'apps/web/src/shared/api';

/** A session in several tabs. */
export const TABS_AREA: Area = {
  area: 'tabs',
  faults: [
    {
      name: 'start-shows-the-user-before',
      file: `${WEB}/start-up.ts`,
      find: 'if (tabSession.restart.isDueFor(user.id)) tabSession.restart.begin();\n    else await',
      replace: 'await',
      harm: 'A tab that starts while another user signs in elsewhere shows, and records for, the user before.',
      tests: [`${WEB}/late-start.test.ts`],
    },
    {
      name: 'start-without-an-answer-drops-the-next-user',
      file: `${WEB}/start-up.ts`,
      find: 'if (is_other_user && (await isUserOf(current, loadUser)))',
      replace: 'if (false)',
      harm: 'A tab without network signs out the user whom another tab has signed in.',
      tests: [`${WEB}/late-start.test.ts`],
    },
    {
      name: 'ended-session-is-asked-about-once',
      file: `${WEB}/session.ts`,
      find: 'void checkUntilAnswered();',
      replace: 'void check();',
      harm: 'A second tab goes on showing the user of an ended session if the network fails at that moment.',
      tests: [`${WEB}/session.test.ts`],
    },
    {
      name: 'aborted-refresh-signs-out',
      file: `${WEB}/errors.ts`,
      find: ' || isAbort(error.cause)',
      replace: '',
      harm: 'A tab that hears of an ended session while it refreshes signs out the user who has signed in again since.',
      tests: [`${WEB}/*.test.ts`],
    },
    {
      name: 'late-message-drops-the-next-session',
      file: `${WEB}/tab-session.ts`,
      find: 'if (sign_in.hasBegunSince(message.sign_in_id)) restart.begin();',
      replace: 'if (false) restart.begin();',
      harm: 'A tab that slept through a sign-out and the next sign-in drops the data of the user who has signed in.',
      tests: [`${WEB}/*.test.ts`],
    },
    {
      name: 'another-id-in-each-tab',
      file: `${WEB}/tab-session.ts`,
      find: ' && current !== own',
      replace: '',
      harm: 'On a full phone, a sign-out only reloads the other tabs, which may show the athlete again.',
      tests: [`${WEB}/*.test.ts`],
    },
    {
      name: 'late-profile-undoes-a-sign-out',
      file: `${WEB}/session.ts`,
      find: ' && !calls.hasPendingLogout() && !tabSession.wasSignOutIntended()',
      replace: '',
      harm: 'A profile that is saved late during a sign-out notes its user as signed in again.',
      tests: [`${WEB}/*.test.ts`],
    },
  ],
};
