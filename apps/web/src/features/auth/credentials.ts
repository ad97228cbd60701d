/** RFC 5321: the longest address that a mail server accepts. */
const MAX_EMAIL_LENGTH = 254;
/** The API contract's limit. */
const MAX_PASSWORD_LENGTH = 1024;
/**
 * Catches the usual typos: a missing @ or an empty part beside it. Only the server knows whether the address exists.
 */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

export interface Credentials {
  email: string;
  password: string;
}

export type FieldProblem = 'emailMissing' | 'emailInvalid' | 'passwordMissing' | 'passwordTooLong';
export type FieldProblems = Partial<Record<keyof Credentials, FieldProblem>>;

/** Returns the credentials to send: keyboards add spaces around an address; spaces in a password are intended. */
export function normalizeCredentials({ email, password }: Credentials): Credentials {
  return { email: email.trim(), password };
}

/** Validates the fields before sending; returns {} if all are valid. */
export function validateCredentials({ email, password }: Credentials): FieldProblems {
  const problems: FieldProblems = {};
  if (email === '') problems.email = 'emailMissing';
  else if (email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email)) problems.email = 'emailInvalid';
  if (password === '') problems.password = 'passwordMissing';
  else if (password.length > MAX_PASSWORD_LENGTH) problems.password = 'passwordTooLong';
  return problems;
}
