import { html } from '#api/http/pages/html.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import { composeMail, type MailTexts } from './compose-mail.ts';
import type { Mail } from './mail.ts';

const MAIL_TEXTS = {
  en: {
    subject: 'Choose a new password for Sendlap',
    greeting: 'Hello,',
    request: 'we have received a request for a new password for your Sendlap account. Open this link to choose one:',
    button: 'Choose a new password',
    limits: 'The link works once, for 30 minutes. When you use it, all your devices are signed out.',
    unexpected: 'It was not you? Then do nothing: your password stays as it is.',
  },
  es: {
    subject: 'Elige una contraseña nueva para Sendlap',
    greeting: 'Hola:',
    request:
      'Hemos recibido una petición de contraseña nueva para tu cuenta de Sendlap. Abre este enlace para elegirla:',
    button: 'Elegir una contraseña nueva',
    limits:
      'El enlace sirve una sola vez, durante 30 minutos. Al usarlo, se cierra la sesión en todos tus dispositivos.',
    unexpected: '¿No has sido tú? Entonces no hagas nada: tu contraseña sigue siendo la misma.',
  },
} satisfies Record<Locale, MailTexts & { button: string }>;

/** Returns the mail with the one-time link. */
export function resetMail(to: string, link: string, locale: Locale): Mail {
  const { button, ...texts } = MAIL_TEXTS[locale];
  return composeMail({ to, locale }, texts, { text: link, html: html`<p><a href="${link}">${button}</a></p>` });
}
