import { login } from '@sendlap/contract/auth.ts';
import type { User } from '@sendlap/contract/users.ts';
import { screen } from '@testing-library/dom';
import type { FakeServer } from '../models/fake-server.ts';
import { answerSignedIn, tokensOf } from '../models/signed-in.ts';
import type { Phone } from '../open-app.ts';

export interface Credentials {
  email: string;
  password: string;
}

/** Opens the form for e-mail and password, which /login shows on demand. */
export async function openLoginForm({ user }: Phone): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Use e-mail and password' }));
  await screen.findByLabelText('E-mail');
}

/** Replaces the values of the fields and submits the form. */
export async function submitLoginForm({ user }: Phone, { email, password }: Credentials): Promise<void> {
  for (const [label, text] of [
    ['E-mail', email],
    ['Password', password],
  ] as const) {
    const field = screen.getByLabelText<HTMLInputElement>(label);
    if (field.value !== '') await user.clear(field);
    if (text !== '') await user.type(field, text);
  }
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

/** From now on, any e-mail and password sign this person in. */
export function answerLogin(server: FakeServer, person: User): void {
  server.on(login, () => {
    answerSignedIn(server, person);
    return { user: person, tokens: tokensOf(person) };
  });
}
