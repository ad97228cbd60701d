import type { Area } from './fault.ts';

const WORKER = 'apps/web/src/sw';
const INSTALL = 'apps/web/src/features/install';
const SYNC = 'apps/web/src/shared/outbox/send/background-sync';

export const WORKER_AREA: Area = {
  area: 'worker',
  faults: [
    {
      name: 'shell-answers-for-the-provider',
      file: `${WORKER}/navigation.ts`,
      find: '(v1|oidc|healthz|readyz|docs)',
      replace: '(v1|healthz|readyz|docs)',
      harm: 'With the app installed the page of the provider never opens.',
      tests: [`${WORKER}/*.test.ts`],
    },
    {
      name: 'safari-takes-the-right-to-notify',
      file: `${WORKER}/push.ts`,
      find: 'if (is_handled && !must_show) return;',
      replace: 'if (is_handled) return;',
      harm: 'Safari ends notifications after some of them came while the app was open.',
      tests: [`${WORKER}/*.test.ts`],
    },
    {
      name: 'tap-opens-the-page-behind',
      file: `${WORKER}/push.ts`,
      find: "(visibilityState === 'visible' ? 0 : 1)",
      replace: "(visibilityState === 'visible' ? 1 : 0)",
      harm: 'A tapped notification opens its chat in a tab that is not in front.',
      tests: [`${WORKER}/*.test.ts`],
    },
    {
      name: 'background-sync-ends-too-early',
      file: `${SYNC}.ts`,
      find: "if (pages.length === 0) throw new Error('no page is open');",
      replace: 'if (pages.length === 0) return;',
      harm: 'The browser takes what waits for sent, and does not wake the worker again.',
      tests: [`${SYNC}.test.ts`],
    },
    {
      name: 'one-frozen-tab-stops-the-sync',
      file: `${SYNC}.ts`,
      find: 'Promise.any(pages.map(requestFlushFromPage))',
      replace: 'Promise.all(pages.map(requestFlushFromPage))',
      harm: 'A tab that does not answer keeps the others from sending.',
      tests: [`${SYNC}.test.ts`],
    },
    {
      name: 'first-install-asks-for-an-update',
      file: `${INSTALL}/service-worker.ts`,
      find: 'if (registration.waiting && registration.active) onUpdate',
      replace: 'if (registration.waiting) onUpdate',
      harm: 'A first visitor is told that a new version is ready.',
      tests: [`${INSTALL}/*.test.ts`],
      journey: { file: 'e2e/worker.spec.ts', title: 'a new version is offered, never at the first install' },
    },
    {
      name: 'failed-install-is-not-made-again',
      file: `${INSTALL}/service-worker.ts`,
      find: 'if (!registration.active && !(await waitUntilInstalled(registration))) return false;',
      replace: '',
      harm: 'After an installation that failed the app does not open without network.',
      tests: [`${INSTALL}/*.test.ts`],
    },
    {
      name: 'new-version-never-takes-over',
      file: `${WORKER}/sw.ts`,
      find: "if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();",
      replace: '',
      harm: 'Update Now does nothing.',
      tests: [],
      journey: { file: 'e2e/worker.spec.ts', title: 'a new version is offered, never at the first install' },
    },
  ],
};
