import { parseArgs } from 'node:util';
import { readEnv } from '#api/env.ts';
import { findAccountByEmail } from '#api/platform/identity-provider/accounts/accounts.ts';
import { normalizeEmail } from '#api/platform/identity-provider/accounts/email.ts';
import { issueResetLink, OPERATOR_LIFETIME_MS } from '#api/platform/identity-provider/accounts/password-resets.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- users reset-password <email> [--json]

Prints a link with which the owner of an account chooses a new password. Hand it over yourself, to the right person:
whoever opens it first owns the account. It works once, for 24 hours, and replaces links made before. Using it signs
all devices of the person out. PUBLIC_URL must be set as for the server, for the link begins with it.

  --json    print the link and its end as JSON

Exit code: 0 done, 1 no such account, 2 wrong usage.
`;

export const command: Command = {
  noun: 'users',
  verb: 'reset-password',
  summary: 'Make a one-time link for a forgotten password',
  usage,
  run,
};

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const words = parse(args);
  if (typeof words === 'string') {
    stderr.write(`${words}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const { PUBLIC_URL: public_url, OIDC_ISSUER } = readEnv(process.env);
  if (OIDC_ISSUER) {
    stderr.write(`Passwords are kept by ${OIDC_ISSUER}, not here.\n`);
    return EXIT_REFUSED;
  }
  const account = await findAccountByEmail(database, normalizeEmail(words.email));
  if (!account) {
    stderr.write(`There is no account ${words.email}.\n`);
    return EXIT_REFUSED;
  }
  const wanted = { account_id: account.id, lifetime_ms: OPERATOR_LIFETIME_MS, public_url };
  const { link, expires_at } = await issueResetLink(database, wanted);
  const reply = { email: account.email, link, expires_at: expires_at.toISOString() };
  stdout.write(
    words.json ? `${JSON.stringify(reply)}\n` : `${link}\n\nFor ${reply.email}, once, until ${reply.expires_at}.\n`,
  );
  return EXIT_OK;
}

/** The e-mail, or what is wrong with the words. */
function parse(args: string[]): { email: string; json: boolean } | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
    const [email] = positionals;
    if (!email || positionals.length > 1) return 'Name one e-mail.';
    return { email, json: values.json };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
