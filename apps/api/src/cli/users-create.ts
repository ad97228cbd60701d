import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Command } from '@commander-js/extra-typings';
import { addAccount, type SignUpProblem } from '#api/accounts/accounts.ts';
import { OWN_ISSUER_KEY } from '#api/accounts/identity.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { createUserService } from '#api/modules/users/service.ts';
import { readEnv } from '#api/platform/env.ts';
import { type CommandContext, defineCommand, RefusedError } from './command.ts';

const PASSWORD_BYTES = 15;
const PROBLEM_TEXTS: Record<SignUpProblem, string> = {
  too_many_attempts: 'Too many attempts, wait a minute.',
  email_invalid: 'This is not an e-mail address.',
  email_taken: 'This e-mail has an account.',
  name_missing: 'The name is empty.',
  name_long: 'The name has more than 40 characters.',
  password_short: 'The password has fewer than 8 characters.',
  password_long: 'The password is too long.',
  password_common: 'The password is too common, or the e-mail itself.',
};

export const command = defineCommand({
  noun: 'users',
  verb: 'create',
  summary: 'make an account with e-mail and password',
  description: 'Makes an account that can sign in with e-mail and password, if the app is its own identity provider.',
  json: 'the user',
  exit_codes: '0 made, 1 refused (the e-mail is taken, the password is weak, OIDC_ISSUER is set, …)',
  declare: () =>
    new Command()
      .argument('<email>', 'the e-mail address')
      .requiredOption('--name <name>', 'the name on boards, at most 40 characters')
      .option('--password-stdin', 'read the password from standard input; without it a random one is made and printed'),
  async run({ database, stdin = process.stdin }, options, email) {
    const { OIDC_ISSUER } = readEnv(process.env);
    if (OIDC_ISSUER) throw new RefusedError(`Passwords are kept by ${OIDC_ISSUER}, not here.`);
    const generated_password = options.passwordStdin ? undefined : randomBytes(PASSWORD_BYTES).toString('base64url');
    const password = generated_password ?? (await readInput(stdin));
    const account = await addAccount(database, { email, display_name: options.name, password });
    if (typeof account === 'string') throw new RefusedError(PROBLEM_TEXTS[account]);
    const { id, public_id, name } = await createUserService(database).findOrCreate({
      issuer: OWN_ISSUER_KEY,
      subject: account.id,
      email: account.email,
      name: account.display_name,
      display_name: account.display_name,
    });
    await recordAudit(database, { act: 'user_created', actor_id: null, subject_id: id });
    return {
      data: {
        id,
        public_id,
        name,
        email: account.email,
        ...(generated_password ? { password: generated_password } : {}),
      },
      text: `${name} (${public_id}) can sign in as ${account.email}.\n${generated_password ? `Password: ${generated_password}\n` : ''}`,
    };
  },
});

/** Reads the whole input without its final newline, so that `echo` and `printf` both work. */
async function readInput(stdin: NonNullable<CommandContext['stdin']>): Promise<string> {
  return (await text(stdin)).replace(/\r?\n$/, '');
}
