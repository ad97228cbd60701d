/** RFC 5321: the longest address that a mail server takes. */
const MAX_EMAIL_LENGTH = 254;
/** The contract's own bound. */
const MAX_PASSWORD_LENGTH = 1024;
/** Whoever mistyped forgot the @ or a part beside it; whether the address exists only the server knows. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

export interface Credentials {
  email: string;
  password: string;
}

export type FieldProblem = 'emailMissing' | 'emailInvalid' | 'passwordMissing' | 'passwordTooLong';
export type FieldProblems = Partial<Record<keyof Credentials, FieldProblem>>;

/** What is sent of what was typed: spaces around an address come from keyboards, those in a password are meant. */
export function readCredentials({ email, password }: Credentials): Credentials {
  return { email: email.trim(), password };
}

/** What is wrong with the fields before anything is sent; empty when nothing is. */
export function checkCredentials({ email, password }: Credentials): FieldProblems {
  const problems: FieldProblems = {};
  if (email === '') problems.email = 'emailMissing';
  else if (email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email)) problems.email = 'emailInvalid';
  if (password === '') problems.password = 'passwordMissing';
  else if (password.length > MAX_PASSWORD_LENGTH) problems.password = 'passwordTooLong';
  return problems;
}
