import { html } from '#api/http/pages/html.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import type { Mail } from './mail.ts';

const MAIL_TEXTS = {
  en: {
    subject: 'Choose a new password for Sendlap',
    greeting: 'Hello,',
    asked: 'you, we assume, asked for a new password for your Sendlap account. Open this link to choose one:',
    button: 'Choose a new password',
    limits: 'The link works once, for 30 minutes. When you use it, all your devices are signed out.',
    ignore: 'It was not you? Then do nothing: your password stays as it is.',
  },
  es: {
    subject: 'Elige una contraseña nueva para Sendlap',
    greeting: 'Hola:',
    asked:
      'Alguien, seguramente tú, ha pedido una contraseña nueva para tu cuenta de Sendlap. Abre este enlace para elegirla:',
    button: 'Elegir una contraseña nueva',
    limits:
      'El enlace sirve una sola vez, durante 30 minutos. Al usarlo, se cierra la sesión en todos tus dispositivos.',
    ignore: '¿No has sido tú? Entonces no hagas nada: tu contraseña sigue siendo la misma.',
  },
} satisfies Record<Locale, object>;

/** Returns the mail with the one-time link, as text and as simple HTML that fetches nothing when it is read. */
export function resetMail(to: string, link: string, locale: Locale): Mail {
  const { subject, greeting, asked, button, limits, ignore } = MAIL_TEXTS[locale];
  return {
    to,
    subject,
    text: `${greeting}\n\n${asked}\n\n${link}\n\n${limits}\n\n${ignore}\n\nSendlap\n`,
    html: html`<!doctype html>
<html lang="${locale}">
  <head><meta charset="utf-8"><title>${subject}</title></head>
  <body>
    <p>${greeting}</p>
    <p>${asked}</p>
    <p><a href="${link}">${button}</a></p>
    <p>${limits}</p>
    <p>${ignore}</p>
    <p>Sendlap</p>
  </body>
</html>
`.text,
  };
}
