import { type Html, html } from './html.ts';
import { type Locale, TAGLINE } from './locale.ts';

export const STYLE_PATH = '/pages.css';
/** The app's logo, a file of the web app. */
export const LOGO_PATH = '/favicon.svg';

/** The layout of every page that the server renders: head, brand, one card. */
export function layout(locale: Locale, title: string, content: Html): string {
  return html`<!doctype html>
<html lang="${locale}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${title} · Sendlap</title>
    <link rel="icon" href="${LOGO_PATH}" type="image/svg+xml">
    <link rel="stylesheet" href="${STYLE_PATH}">
  </head>
  <body>
    <main>
      <header>
        <p class="brand"><img src="${LOGO_PATH}" alt="" width="40" height="40">Sendlap</p>
        <p class="tagline">${TAGLINE[locale]}</p>
      </header>
      <section class="card">
        <h1>${title}</h1>${content}
      </section>
    </main>
  </body>
</html>
`.text;
}

/** A page with a message: a title, a sentence, and the possible actions. */
export function notice(locale: Locale, { title, body }: { title: string; body: string }, actions: Html): string {
  return layout(locale, title, html`<p class="lead">${body}</p>${actions}`);
}
