import { html } from '#api/http/pages/html.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import { composeMail, type MailTexts } from './compose-mail.ts';
import type { Mail } from './mail.ts';

const LINK_TEXTS = {
  en: {
    subject: 'Create your Sendlap account',
    greeting: 'Hello,',
    request: 'we have received a request for a Sendlap account with this address. Open this link to create it:',
    button: 'Create my account',
    limits: 'The link works once, for 24 hours.',
    unexpected: 'It was not you? Then do nothing: no account is created.',
  },
  es: {
    subject: 'Crea tu cuenta de Sendlap',
    greeting: 'Hola:',
    request: 'Hemos recibido una petición de cuenta de Sendlap con esta dirección. Abre este enlace para crearla:',
    button: 'Crear mi cuenta',
    limits: 'El enlace sirve una sola vez, durante 24 horas.',
    unexpected: '¿No has sido tú? Entonces no hagas nada: no se creará ninguna cuenta.',
  },
} satisfies Record<Locale, MailTexts & { button: string }>;

const EXISTING_ACCOUNT_TEXTS = {
  en: {
    subject: 'You already have a Sendlap account',
    greeting: 'Hello,',
    request: 'we have received a request for a new Sendlap account with this address, which has an account already.',
    sign_in: 'Sign in here:',
    sign_in_button: 'Sign in',
    forgot: 'If you have forgotten your password, choose a new one here:',
    forgot_button: 'Choose a new password',
    limits: 'No second account was created, and your password stays as it is.',
    unexpected: 'It was not you? Then do nothing.',
  },
  es: {
    subject: 'Ya tienes una cuenta de Sendlap',
    greeting: 'Hola:',
    request: 'Hemos recibido una petición de cuenta nueva de Sendlap con esta dirección, que ya tiene una.',
    sign_in: 'Inicia sesión aquí:',
    sign_in_button: 'Iniciar sesión',
    forgot: 'Si has olvidado la contraseña, elige una nueva aquí:',
    forgot_button: 'Elegir una contraseña nueva',
    limits: 'No se ha creado una segunda cuenta y tu contraseña sigue siendo la misma.',
    unexpected: '¿No has sido tú? Entonces no hagas nada.',
  },
} satisfies Record<Locale, MailTexts & Record<string, string>>;

/** Returns the mail with the one-time link, for an address without an account. */
export function signUpMail(to: string, link: string, locale: Locale): Mail {
  const { button, ...texts } = LINK_TEXTS[locale];
  return composeMail({ to, locale }, texts, { text: link, html: html`<p><a href="${link}">${button}</a></p>` });
}

/** Returns the mail for an address with an account. It holds no secret. */
export function existingAccountMail(to: string, links: { sign_in: string; forgot: string }, locale: Locale): Mail {
  const { sign_in, sign_in_button, forgot, forgot_button, ...texts } = EXISTING_ACCOUNT_TEXTS[locale];
  return composeMail({ to, locale }, texts, {
    text: [sign_in, links.sign_in, forgot, links.forgot].join('\n\n'),
    html: html`<p>${sign_in} <a href="${links.sign_in}">${sign_in_button}</a></p>
    <p>${forgot} <a href="${links.forgot}">${forgot_button}</a></p>`,
  });
}
