import { type Html, html } from '#api/http/pages/html.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import type { Mail } from './mail.ts';

export interface MailTexts {
  subject: string;
  greeting: string;
  /** Why the mail was sent, and how to use its link or code. */
  request: string;
  /** How often, how long and for what the link or code works. */
  limits: string;
  /** What to do after an unexpected mail. */
  unexpected: string;
}

/** Returns a mail with a one-time link or code, as text and as simple HTML that fetches nothing when it is read. */
export function composeMail(
  { to, locale }: { to: string; locale: Locale },
  { subject, greeting, request, limits, unexpected }: MailTexts,
  secret: { text: string; html: Html },
): Mail {
  return {
    to,
    subject,
    text: `${[greeting, request, secret.text, limits, unexpected, 'Sendlap'].join('\n\n')}\n`,
    html: html`<!doctype html>
<html lang="${locale}">
  <head><meta charset="utf-8"><title>${subject}</title></head>
  <body>
    <p>${greeting}</p>
    <p>${request}</p>
    ${secret.html}
    <p>${limits}</p>
    <p>${unexpected}</p>
    <p>Sendlap</p>
  </body>
</html>
`.text,
  };
}
