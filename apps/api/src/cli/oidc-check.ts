import { checkProvider, type ProviderFinding } from '#api/accounts/provider/check-provider.ts';
import { readEnv } from '#api/platform/env.ts';
import { defineStandaloneCommand } from './command.ts';

export const command = defineStandaloneCommand({
  noun: 'oidc',
  verb: 'check',
  summary: 'print what the identity provider supports',
  description: `Asks the identity provider of the settings (OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET) what it supports, and
whether it accepts our client. Starts no sign-in and changes nothing, here or there.`,
  json: 'the findings',
  exit_codes: '0 users can sign in, 1 they cannot',
  async run() {
    const env = readEnv(process.env);
    if (!env.OIDC_ISSUER || !env.OIDC_CLIENT_ID) {
      return { data: [], text: 'OIDC_ISSUER is not set: the app is its own identity provider.\n' };
    }
    const findings = await checkProvider({
      issuer: env.OIDC_ISSUER,
      client_id: env.OIDC_CLIENT_ID,
      client_secret: env.OIDC_CLIENT_SECRET,
      signup_url: env.OIDC_SIGNUP_URL,
      public_url: env.PUBLIC_URL,
    });
    return {
      data: findings,
      text: findings.map(describe).join(''),
      has_failed: findings.some(({ verdict }) => verdict === 'broken'),
    };
  },
});

const VERDICT_LABELS: Record<ProviderFinding['verdict'], string> = { good: 'ok  ', lacking: '-   ', broken: 'FAIL' };

function describe({ check, verdict, detail }: ProviderFinding): string {
  return `${VERDICT_LABELS[verdict]} ${check.padEnd(12)} ${detail}\n`;
}
