import type { Area } from './fault.ts';

const LOCAL = 'apps/web/src/shared/local-db';
const THREADS = 'apps/web/src/features/chats/data/thread-records.ts';
const THREAD_TESTS = ['apps/web/src/features/chats/data/*.test.ts'];
const TESTS = [`${LOCAL}/*.test.ts`, 'apps/web/src/shared/copies/*.test.ts'];

export const LOCAL_DATABASE: Area = {
  area: 'local database',
  faults: [
    {
      name: 'copies-of-answers-stay',
      file: `${LOCAL}/clean-up.ts`,
      find: 'if (cachedAt(cursor.value.value) < stored_before) await cursor.delete();',
      replace: 'if (stored_before < 0) await cursor.delete();',
      harm: 'Each board that an athlete has ever looked at stays on the phone until they sign out.',
      tests: TESTS,
    },
    {
      name: 'messages-of-who-left-are-kept',
      file: THREADS,
      find: ' && isSignedIn(chat)',
      replace: '',
      harm: 'An answer that comes after the sign-out leaves messages on the phone.',
      tests: THREAD_TESTS,
    },
    {
      name: 'missing-messages-are-not-noticed',
      file: THREADS,
      find: 'copies.slice(Math.max(0, gap))',
      replace: 'copies.slice(0)',
      harm: 'Without network a chat shows messages side by side between which others are missing.',
      tests: THREAD_TESTS,
    },
    {
      name: 'sign-out-leaves-notes',
      file: `${LOCAL}/database.ts`,
      find: 'entry.user_id !== null);',
      replace: 'entry.user_id === null);',
      harm: 'The last place of an athlete stays on the phone after the sign-out.',
      tests: TESTS,
    },
    {
      name: 'sign-out-leaves-the-surroundings',
      file: `${LOCAL}/database.ts`,
      find: "cleared.push(transaction.objectStore('saved_cities').delete(areas));",
      replace: '',
      harm: 'The phone still tells where the athlete was who has signed out.',
      tests: TESTS,
    },
    {
      name: 'lost-copies-sign-out',
      file: `${LOCAL}/user-profile.ts`,
      find: "if (user !== undefined && user !== 'unreadable') return user;",
      replace: '',
      harm: 'A phone that has lost its copies and has no network signs the athlete out.',
      tests: TESTS,
    },
    {
      name: 'a-copy-undoes-a-sign-out',
      file: `${LOCAL}/user-profile.ts`,
      find: "if (user !== undefined && user !== 'unreadable') return user;",
      replace: "if (user && user !== 'unreadable') return user;",
      harm: 'On a full phone, a sign-out whose page is closed too early shows the athlete as signed in again.',
      tests: TESTS,
    },
    {
      name: 'sign-out-leaves-the-user',
      file: `${LOCAL}/database.ts`,
      find: 'Promise.all([deleteCopies(), deleteUserOfDevice()])',
      replace: 'deleteCopies()',
      harm: 'The name and the e-mail address of an athlete who has signed out stay on the phone.',
      tests: TESTS,
    },
    {
      name: 'saved-city-loses-its-map',
      file: `${LOCAL}/tile-budget.ts`,
      find: 'tiles.filter(({ pin_count }) => pin_count === 0)',
      replace: '[...tiles]',
      harm: 'Looking at another town takes the map away that was saved for offline use.',
      tests: TESTS,
    },
    {
      name: 'copies-live-a-day',
      file: `${LOCAL}/clean-up.ts`,
      find: 'MAX_AGE_MS = 30 * 86_400_000',
      replace: 'MAX_AGE_MS = 30 * 3_600_000',
      harm: 'After a weekend without network nothing is left on the phone.',
      tests: TESTS,
    },
    {
      name: 'wrong-clock-empties-the-phone',
      file: `${LOCAL}/clean-up.ts`,
      find: 'is_clock_right ? now - MAX_AGE_MS : 0',
      replace: 'now - MAX_AGE_MS',
      harm: 'A phone whose clock is set ahead without a network loses every copy, and the basement has no other.',
      tests: TESTS,
    },
    {
      name: 'notes-of-another-user-are-read',
      file: 'apps/web/src/shared/copies/metadata.ts',
      find: 'entry.user_id === (user_id ?? session.getState().user?.id)',
      replace: 'entry.user_id !== undefined',
      harm: 'The search begins at the place where the athlete before last looked.',
      tests: TESTS,
    },
    {
      name: 'clock-set-back-hides-new-copies',
      file: `${LOCAL}/center-search-engine.ts`,
      find: 'if (read_at < previous_read_at) return buildSnapshot();',
      replace: '',
      harm: 'After the clock was set back saved centers are not found.',
      tests: TESTS,
    },
    {
      name: 'late-copies-are-not-found',
      file: `${LOCAL}/center-search-engine.ts`,
      find: 'IDBKeyRange.lowerBound(previous_read_at - WRITE_DELAY_MS)',
      replace: 'IDBKeyRange.lowerBound(previous_read_at)',
      harm: 'Centers that were being saved while the list was read are not found offline.',
      tests: TESTS,
    },
  ],
};
