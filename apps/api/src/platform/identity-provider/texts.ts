import type { SignInProblem, SignUpProblem } from './accounts.ts';

const LOCALES = ['en', 'es'] as const;
export type Locale = (typeof LOCALES)[number];

export type PageProblem = SignInProblem | SignUpProblem;

export interface Texts {
  tagline: string;
  sign_in: string;
  sign_up: string;
  email: string;
  display_name: string;
  display_name_hint: string;
  password: string;
  password_hint: string;
  no_account: string;
  have_account: string;
  expired_title: string;
  expired_body: string;
  failed_title: string;
  failed_body: string;
  back: string;
  problems: Record<PageProblem, string>;
}

const en: Texts = {
  tagline: 'Climb, swim, and prove it.',
  sign_in: 'Sign in',
  sign_up: 'Create account',
  email: 'E-mail',
  display_name: 'Display name',
  display_name_hint: 'Name that friends and boards show',
  password: 'Password',
  password_hint: 'At least 8 characters. A short sentence is easy to remember.',
  no_account: 'New here?',
  have_account: 'Already have an account?',
  expired_title: 'This sign-in has expired',
  expired_body: 'It was open for too long, or it was finished in another tab. Please start again.',
  failed_title: 'Sign-in did not work',
  failed_body: 'Something went wrong on our side. Please start again.',
  back: 'Back to Sendlap',
  problems: {
    credentials_wrong: 'E-mail or password is not right.',
    too_many_attempts: 'Too many attempts. Please wait a minute and try again.',
    email_invalid: 'Please check the e-mail address.',
    email_taken: 'There is already an account with this e-mail. Sign in instead.',
    name_missing: 'Please enter a display name.',
    name_long: 'The display name can have at most 40 characters.',
    password_short: 'The password needs at least 8 characters.',
    password_long: 'The password can have at most 128 characters.',
    password_common: 'This password is too easy to guess. Please choose another one.',
  },
};

const es: Texts = {
  tagline: 'Escala, nada y demuéstralo.',
  sign_in: 'Iniciar sesión',
  sign_up: 'Crear cuenta',
  email: 'Correo electrónico',
  display_name: 'Nombre visible',
  display_name_hint: 'El nombre que verán tus amistades y las clasificaciones',
  password: 'Contraseña',
  password_hint: 'Al menos 8 caracteres. Una frase corta se recuerda bien.',
  no_account: '¿Es tu primera vez?',
  have_account: '¿Ya tienes cuenta?',
  expired_title: 'Este inicio de sesión ha caducado',
  expired_body: 'Ha estado abierto demasiado tiempo o terminó en otra pestaña. Empieza de nuevo.',
  failed_title: 'No se ha podido iniciar sesión',
  failed_body: 'Algo ha fallado por nuestra parte. Empieza de nuevo.',
  back: 'Volver a Sendlap',
  problems: {
    credentials_wrong: 'El correo o la contraseña no son correctos.',
    too_many_attempts: 'Demasiados intentos. Espera un minuto y vuelve a probar.',
    email_invalid: 'Revisa la dirección de correo.',
    email_taken: 'Ya hay una cuenta con este correo. Inicia sesión.',
    name_missing: 'Escribe un nombre visible.',
    name_long: 'El nombre visible puede tener como máximo 40 caracteres.',
    password_short: 'La contraseña necesita al menos 8 caracteres.',
    password_long: 'La contraseña puede tener como máximo 128 caracteres.',
    password_common: 'Esta contraseña es demasiado fácil de adivinar. Elige otra.',
  },
};

export const TEXTS: Record<Locale, Texts> = { en, es };

/** The first language that we have: of the app's wish (`ui_locales`), then of the browser; else English. */
export function chooseLocale(ui_locales: unknown, accept_language: string | undefined): Locale {
  const wishes = typeof ui_locales === 'string' ? ui_locales.split(' ') : [];
  const accepted = (accept_language ?? '')
    .split(',')
    .map((part) => part.split(';q='))
    .sort(([, a = '1'], [, b = '1']) => Number(b) - Number(a))
    .map(([tag = '']) => tag.trim());
  for (const tag of [...wishes, ...accepted]) {
    const locale = LOCALES.find((known) => tag.toLowerCase().split('-')[0] === known);
    if (locale) return locale;
  }
  return 'en';
}
