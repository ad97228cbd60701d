import type { Area } from './fault.ts';

const FRIENDS = 'apps/web/src/features/friends';

export const FRIEND_SCREENS: Area = {
  area: 'friend screens',
  faults: [
    {
      name: 'failed-decline-says-nothing',
      file: `${FRIENDS}/people/use-friend-actions.ts`,
      find: 'toastFailure(failure_title)',
      replace: '() => {}',
      harm: 'A request that could not be declined comes back without a word.',
      tests: ['apps/web/test/screens/friends-trouble.test.tsx'],
    },
    {
      name: 'error-hides-its-reason',
      file: 'apps/web/src/shared/ui/feedback/ErrorState.tsx',
      find: '<p className="max-w-[36ch] text-ink-soft">{errorText(error)}</p>',
      replace: '',
      harm: 'A screen that could not be loaded does not say that the server is closed for cleaning.',
      tests: ['apps/web/test/screens/friends-trouble.test.tsx'],
    },
    {
      name: 'failed-removal-says-nothing',
      file: `${FRIENDS}/ConfirmStep.tsx`,
      find: '{error !== null && <Failure',
      replace: '{false && <Failure',
      harm: 'A friendship that could not be ended leaves the athlete with a button that does nothing.',
      tests: ['apps/web/test/screens/friends-trouble.test.tsx'],
    },
    {
      name: 'sheet-takes-no-focus',
      file: 'apps/web/src/shared/ui/sheet/SheetSurface.tsx',
      find: 'initialFocus={popup}',
      replace: 'initialFocus={false}',
      harm: 'A keyboard stays behind the sheet that has opened.',
      tests: ['apps/web/test/screens/friends-keyboard.test.tsx'],
    },
    {
      name: 'accept-is-offered-without-network',
      file: `${FRIENDS}/Requests.tsx`,
      find: "disabled={!online}\n            aria-label={t('action.acceptFrom', { name })}",
      replace: "aria-label={t('action.acceptFrom', { name })}",
      harm: 'Accept is pressed without network, and fails.',
      tests: ['apps/web/test/screens/friends-offline.test.tsx'],
    },
    {
      name: 'requests-are-not-counted',
      file: 'apps/web/src/app/layouts/Navigation.tsx',
      find: '{tab.path === PATHS.profile && requests}',
      replace: '{tab.path === PATHS.root && requests}',
      harm: 'Nothing says that a friend request waits.',
      tests: ['apps/web/test/screens/friends-requests.test.tsx'],
      journey: { file: 'e2e/friends.spec.ts', title: 'a request is sent, declined, cancelled, accepted' },
    },
  ],
};
