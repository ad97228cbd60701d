import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { readEnv } from '#api/env.ts';
import { createUserService } from '#api/modules/users/service.ts';
import { addAccount, type SignUpProblem } from '#api/platform/identity-provider/accounts/accounts.ts';
import { OWN_ISSUER_KEY } from '#api/platform/identity-provider/identity.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- users create <email> --name <name> [--password-stdin] [--json]

Makes an account that can sign in with e-mail and password, where the app is its own identity provider.

  --name <name>      what boards show, at most 40 characters
  --password-stdin   read the password from standard input; without it a random one is made and printed
  --json             print the user as JSON

Exit code: 0 made, 1 refused (the e-mail is taken, the password is weak, OIDC_ISSUER is set, …), 2 wrong usage.
`;

export const command: Command = {
  noun: 'users',
  verb: 'create',
  summary: 'Make an account with e-mail and password',
  usage,
  run: (args, context) => createUser(args, context, process.stdin),
};

const PASSWORD_BYTES = 15;
const WHY: Record<SignUpProblem, string> = {
  too_many_attempts: 'Too many attempts, wait a minute.',
  email_invalid: 'This is not an e-mail address.',
  email_taken: 'This e-mail has an account.',
  name_missing: 'The name is empty.',
  name_long: 'The name has more than 40 characters.',
  password_short: 'The password has fewer than 8 characters.',
  password_long: 'The password is too long.',
  password_common: 'The password is too common, or the e-mail itself.',
};

interface Wish {
  email: string;
  display_name: string;
  password_stdin: boolean;
  json: boolean;
}

export async function createUser(
  args: string[],
  { database, stdout, stderr }: CommandContext,
  stdin: AsyncIterable<unknown>,
): Promise<number> {
  const wish = parse(args);
  if (typeof wish === 'string') {
    stderr.write(`${wish}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const { OIDC_ISSUER } = readEnv(process.env);
  if (OIDC_ISSUER) {
    stderr.write(`Passwords are kept by ${OIDC_ISSUER}, not here.\n`);
    return EXIT_REFUSED;
  }
  const { email, display_name } = wish;
  const made_password = wish.password_stdin ? undefined : randomBytes(PASSWORD_BYTES).toString('base64url');
  const password = made_password ?? (await readLine(stdin));
  const account = await addAccount(database, { email, display_name, password });
  if (typeof account === 'string') {
    stderr.write(`${WHY[account]}\n`);
    return EXIT_REFUSED;
  }
  const { id, public_id, name } = await createUserService(database).findOrCreate({
    issuer: OWN_ISSUER_KEY,
    subject: account.id,
    email: account.email,
    name: account.display_name,
    display_name: account.display_name,
  });
  const user = { id, public_id, name, email: account.email, ...(made_password ? { password: made_password } : {}) };
  if (wish.json) stdout.write(`${JSON.stringify(user)}\n`);
  else {
    stdout.write(`${name} (${public_id}) can sign in as ${user.email}.\n`);
    if (made_password) stdout.write(`Password: ${made_password}\n`);
  }
  return EXIT_OK;
}

/** What was asked for, or what is wrong with the words. */
function parse(args: string[]): Wish | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        'password-stdin': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const [email] = positionals;
    if (!email || positionals.length > 1) return 'Name one e-mail address.';
    if (values.name === undefined) return '--name says what boards show.';
    return { email, display_name: values.name, password_stdin: values['password-stdin'], json: values.json };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** All of the input but one line end, so that `echo` and `printf` both do. */
async function readLine(stdin: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as string | Buffer));
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
