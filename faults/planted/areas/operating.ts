import type { Area } from './fault.ts';

const API = 'apps/api/src';

export const OPERATING: Area = {
  area: 'operating',
  faults: [
    {
      name: 'old-postgresql-is-taken',
      file: `${API}/database/database-requirements.ts`,
      find: 'const OLDEST_MAJOR = 15;',
      replace: 'const OLDEST_MAJOR = 12;',
      harm: 'The start on an old PostgreSQL ends in the middle of a migration, with a stack.',
      tests: [`${API}/database/prepare-database.test.ts`],
    },
    {
      name: 'lost-notifications-are-taken',
      file: `${API}/database/notification-check.ts`,
      find: 'if (has_arrived) return',
      replace: 'if (sent_at) return',
      harm: 'Behind a pooler, messages between nodes are lost without a word.',
      tests: [`${API}/database/prepare-database.test.ts`],
    },
    {
      name: 'install-is-tried-twice',
      file: 'tools/setup.mjs',
      find: '  failIfUnreachable(ci_code);\n',
      replace: '',
      harm: 'Without a network the first start is silent twice as long, and ends in many lines.',
      tests: ['tools/setup.test.ts'],
    },
    {
      name: 'anyone-reads-the-report',
      file: `${API}/http/caller-report.ts`,
      find: 'return is_fresh && received.length === expected.length && timingSafeEqual(received, expected);',
      replace: 'return is_fresh && received.length === expected.length;',
      harm: 'A stranger learns the settings of the proxies.',
      tests: [`${API}/doctor/public-address.test.ts`],
    },
    {
      name: 'claimed-address-is-green',
      file: `${API}/doctor/public-address.ts`,
      find: 'if (address === CLAIMED_ADDRESS) {',
      replace: 'if (address === CLAIMED_ADDRESS && reported.length > 0) {',
      harm: 'Doctor gives no right advice on a server whose limits anyone passes.',
      tests: [`${API}/doctor/public-address.test.ts`],
    },
    {
      name: 'one-misfit-hides-the-others',
      file: `${API}/http/forwarded-header.ts`,
      find: 'if (problem && !monitor.has(problem)) {',
      replace: 'if (problem && monitor.size === 0) {',
      harm: 'After a harmless call past the proxy, no line says that clients can claim any address.',
      tests: [`${API}/http/forwarded-header.test.ts`],
    },
    {
      name: 'named-proxy-may-be-silent',
      file: `${API}/http/forwarded-header.ts`,
      find: 'return isListed(proxies,',
      replace: 'return !isListed(proxies,',
      harm: 'Behind a proxy that adds no address, clients claim any, and the log is silent.',
      tests: [`${API}/http/forwarded-header.test.ts`],
    },
    {
      name: 'doctor-prints-the-secret',
      file: `${API}/doctor/settings.ts`,
      find: "const SECRETS: readonly string[] = ['SECRET', 'OIDC_CLIENT_SECRET'];",
      replace: "const SECRETS: readonly string[] = ['OIDC_CLIENT_SECRET'];",
      harm: 'An output that is sent to a helper opens the keys of all users.',
      tests: [`${API}/doctor/settings.test.ts`],
    },
    {
      name: 'error-reply-without-its-id',
      file: `${API}/http/request-log.ts`,
      find: 'if (reply.statusCode >= ERROR_STATUS)',
      replace: 'if (reply.statusCode > 500)',
      harm: 'A person who saw an error has nothing to tell the operator.',
      tests: [`${API}/http/request-log.test.ts`],
    },
    {
      name: 'id-is-not-shown',
      file: 'apps/web/src/shared/i18n/use-error-text.ts',
      find: 'const id = isForOperator(error) ?',
      replace: 'const id = !isForOperator(error) ?',
      harm: 'The app shows the id beside what the user can mend, and not beside a failure of the server.',
      tests: ['apps/web/src/shared/i18n/use-error-text.test.tsx'],
    },
  ],
};
