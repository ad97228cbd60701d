import type { Area } from './fault.ts';

const WORKER = 'apps/web/src/sw';
const INSTALL = 'apps/web/src/features/install';
const OUTBOX = 'apps/web/src/shared/outbox';
const SYNC = `${OUTBOX}/send/background-sync`;

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
      find: "if (outcome === 'failed') throw new Error('not everything was sent');",
      replace: '',
      harm: 'The browser takes what waits for sent, and does not wake the worker again.',
      tests: [`${SYNC}.test.ts`],
    },
    {
      name: 'each-push-sends-beside-the-page',
      file: `${SYNC}.ts`,
      find: "if (pages.every(({ visibilityState }) => visibilityState !== 'visible')) await",
      replace: 'if (pages) await',
      harm: 'With each push the worker refreshes the session, although the open app sends by itself.',
      tests: [`${SYNC}.test.ts`],
    },
    {
      name: 'worker-sends-while-pages-do',
      file: `${OUTBOX}/send/send-unattended.ts`,
      find: '  await waitForPages(deps);',
      replace: '',
      harm: 'Each message that the open app sends also makes the worker refresh the session.',
      tests: [`${OUTBOX}/send/send-unattended.test.ts`],
    },
    {
      name: 'worker-throws-its-messages-away',
      file: `${OUTBOX}/send/send-unattended.ts`,
      find: 'confirmSent: async () => {}',
      replace: 'confirmSent: store.messages.confirmSent',
      harm: 'A message that was sent while the app was closed is missing in its chat without a network.',
      tests: [`${OUTBOX}/accepted-messages.test.ts`],
    },
    {
      name: 'worker-sends-after-a-sign-out',
      file: `${OUTBOX}/outbox-sender.ts`,
      find: 'if (!(await hasSessionKey())) return null;',
      replace: '',
      harm: 'After a sign-out without a network the worker opens the session again.',
      tests: [`${OUTBOX}/worker-client.test.ts`],
    },
    {
      name: 'worker-sends-as-another-user',
      file: `${OUTBOX}/send/outbox-calls.ts`,
      find: '(await call(syncActivities, { body: { ops } }, { expected_user_id: user_id, beforeSend, signal })).results',
      replace: '(await call(syncActivities, { body: { ops } }, { beforeSend, signal })).results',
      harm: 'If another user signs in while the worker sends, activities go to the wrong account.',
      tests: [`${OUTBOX}/worker-client.test.ts`],
    },
    {
      name: 'worker-cannot-load-its-sender',
      file: `${WORKER}/sw.ts`,
      find: '  loadSender();\n  const needed',
      replace: '  const needed',
      harm: 'A restarted worker cannot send: browsers refuse to import a script after the installation.',
      tests: [],
      journey: { file: 'e2e/closed-app.spec.ts', title: 'are sent while the app is closed' },
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
