import { readEnv } from '#api/env.ts';
import { checkProvider, type ProviderFinding } from '#api/platform/identity-provider/check-provider.ts';
import { EXIT_OK, EXIT_REFUSED, EXIT_USAGE, type StandaloneCommand } from './command.ts';
import { parseJsonOnly } from './scores-verify.ts';

const usage = `npm run sendlap -- oidc check [--json]

Asks the identity provider of the settings (OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET) what it supports, and whether it
takes our client. Signs nobody in and changes nothing, here or there.

  --json  print the findings as JSON

Exit code: 0 people can sign in, 1 they can't, 2 wrong usage.
`;

export const command: StandaloneCommand = {
  noun: 'oidc',
  verb: 'check',
  summary: 'Print what the identity provider supports',
  usage,
  runAlone,
};

async function runAlone(
  ...[args, { stdout, stderr }, variables]: Parameters<StandaloneCommand['runAlone']>
): Promise<number> {
  const options = parseJsonOnly(args);
  if (typeof options === 'string') {
    stderr.write(`${options}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const env = readEnv(variables);
  if (!env.OIDC_ISSUER || !env.OIDC_CLIENT_ID) {
    stdout.write('OIDC_ISSUER is not set: the app is its own identity provider.\n');
    return EXIT_OK;
  }
  const findings = await checkProvider({
    issuer: env.OIDC_ISSUER,
    client_id: env.OIDC_CLIENT_ID,
    client_secret: env.OIDC_CLIENT_SECRET,
    signup_url: env.OIDC_SIGNUP_URL,
    public_url: env.PUBLIC_URL,
  });
  stdout.write(options.json ? `${JSON.stringify(findings)}\n` : findings.map(describe).join(''));
  return findings.some(({ verdict }) => verdict === 'broken') ? EXIT_REFUSED : EXIT_OK;
}

const SIGNS: Record<ProviderFinding['verdict'], string> = { good: 'ok  ', lacking: '-   ', broken: 'FAIL' };

function describe({ what, verdict, says }: ProviderFinding): string {
  return `${SIGNS[verdict]} ${what.padEnd(12)} ${says}\n`;
}
