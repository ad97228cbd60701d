import { composeMail, type MailTexts } from '#api/accounts/pages/compose-mail.ts';
import type { Mail } from '#api/accounts/pages/mail.ts';
import { html } from '#api/http/pages/html.ts';
import type { Locale } from '#api/http/pages/locale.ts';

interface ClaimMailOptions {
  /** An address at the domain of the center's web site. */
  to: string;
  code: string;
  center_name: string;
  /** Of the user who claims the center. Never a name, which could be an advertisement. */
  public_id: string;
  /** Of the server. */
  host: string;
}

const MAIL_TEXTS = {
  en: ({ center_name, public_id, host }: ClaimMailOptions) => ({
    subject: `Your code to manage ${center_name} on Sendlap`,
    greeting: 'Hello,',
    request: `the Sendlap user “${public_id}” on ${host} says that they run ${center_name}, and gave this address. If that is right, type this code there:`,
    limits:
      'The code works once, for 24 hours. With it, the user can manage the page, referees and kiosks of the center.',
    unexpected: 'You did not expect this? Then keep the code to yourself and do nothing: without it nothing changes.',
  }),
  es: ({ center_name, public_id, host }: ClaimMailOptions) => ({
    subject: `Tu código para llevar ${center_name} en Sendlap`,
    greeting: 'Hola:',
    request: `En ${host}, «${public_id}» dice en Sendlap que lleva ${center_name} y ha dado esta dirección. Si es así, escribe allí este código:`,
    limits:
      'El código sirve una sola vez, durante 24 horas. Con él se gestionan la página, los árbitros y los quioscos del centro.',
    unexpected: '¿No lo esperabas? No le des el código a nadie y no hagas nada: sin él no cambia nada.',
  }),
} satisfies Record<Locale, (options: ClaimMailOptions) => MailTexts>;

/** Returns the mail with the one-time code. */
export function claimMail(options: ClaimMailOptions, locale: Locale): Mail {
  const code = `${options.code.slice(0, 4)} ${options.code.slice(4)}`;
  const secret = { text: code, html: html`<p style="font-size: 2em">${code}</p>` };
  return composeMail({ to: options.to, locale }, MAIL_TEXTS[locale](options), secret);
}
