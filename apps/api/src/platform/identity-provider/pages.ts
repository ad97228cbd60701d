import { MAX_DISPLAY_NAME_LENGTH } from './accounts.ts';
import { type Html, html } from './html.ts';
import { type Locale, type PageProblem, TEXTS, type Texts } from './texts.ts';

export const STYLE_PATH = '/oidc/assets/provider.css';

export interface FormPage {
  locale: Locale;
  /** Address of this sign-in's pages, e.g. /oidc/interaction/<uid>. */
  base_path: string;
  problem?: PageProblem;
  email?: string;
  display_name?: string;
}

/** Which field a problem belongs to, so that it is marked and gets the focus. */
const FIELD_OF_PROBLEM: Record<PageProblem, 'email' | 'display_name' | 'password' | undefined> = {
  credentials_wrong: 'password',
  too_many_attempts: undefined,
  email_invalid: 'email',
  email_taken: 'email',
  name_missing: 'display_name',
  name_long: 'display_name',
  password_short: 'password',
  password_long: 'password',
  password_common: 'password',
};

export function signInPage(page: FormPage): string {
  const texts = TEXTS[page.locale];
  const focused = fieldOf(page) ?? 'email';
  return layout(
    page.locale,
    texts.sign_in,
    html`
    <form method="post" action="${page.base_path}/sign-in" novalidate>
      ${problemOf(page, texts)}
      ${emailField(page, texts, focused)}
      ${field(page, { name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password', focused })}
      <button type="submit">${texts.sign_in}</button>
    </form>
    <p class="other">${texts.no_account} <a href="${page.base_path}/sign-up">${texts.sign_up}</a></p>`,
  );
}

export function signUpPage(page: FormPage): string {
  const texts = TEXTS[page.locale];
  const focused = fieldOf(page) ?? 'email';
  return layout(
    page.locale,
    texts.sign_up,
    html`
    <form method="post" action="${page.base_path}/sign-up" novalidate>
      ${problemOf(page, texts)}
      ${emailField(page, texts, focused)}
      ${field(page, {
        name: 'display_name',
        label: texts.display_name,
        hint: texts.display_name_hint,
        type: 'text',
        autocomplete: 'nickname',
        value: page.display_name,
        max_length: MAX_DISPLAY_NAME_LENGTH,
        focused,
      })}
      ${field(page, {
        name: 'password',
        label: texts.password,
        hint: texts.password_hint,
        type: 'password',
        autocomplete: 'new-password',
        focused,
      })}
      <button type="submit">${texts.sign_up}</button>
    </form>
    <p class="other">${texts.have_account} <a href="${page.base_path}/sign-in">${texts.sign_in}</a></p>`,
  );
}

/** Where a sign-in can't go on: it expired, or the request for it was wrong. */
export function problemPage(locale: Locale, kind: 'expired' | 'failed'): string {
  const texts = TEXTS[locale];
  const [title, body] =
    kind === 'expired' ? [texts.expired_title, texts.expired_body] : [texts.failed_title, texts.failed_body];
  return layout(
    locale,
    title,
    html`
    <p class="lead">${body}</p>
    <a class="button" href="/login">${texts.back}</a>`,
  );
}

interface Field {
  name: 'email' | 'display_name' | 'password';
  label: string;
  type: 'email' | 'text' | 'password';
  autocomplete: string;
  focused: string;
  hint?: string;
  value?: string | undefined;
  max_length?: number;
}

function emailField(page: FormPage, texts: Texts, focused: string): Html {
  const { email } = page;
  return field(page, {
    name: 'email',
    label: texts.email,
    type: 'email',
    autocomplete: 'username',
    value: email,
    focused,
  });
}

function field(page: FormPage, { name, label, type, autocomplete, focused, hint, value, max_length }: Field): Html {
  const wrong = fieldOf(page) === name;
  const described_by = [hint && `${name}-hint`, wrong && 'problem'].filter(Boolean).join(' ');
  return html`
      <div class="field">
        <label for="${name}">${label}</label>
        <input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required
          ${type === 'email' && html`inputmode="email" autocapitalize="none" spellcheck="false"`}
          ${value !== undefined && html`value="${value}"`}
          ${max_length !== undefined && html`maxlength="${max_length}"`}
          ${described_by !== '' && html`aria-describedby="${described_by}"`}
          ${wrong && html`aria-invalid="true"`}
          ${focused === name && html`autofocus`}>
        ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
      </div>`;
}

function fieldOf({ problem }: FormPage): Field['name'] | undefined {
  return problem && FIELD_OF_PROBLEM[problem];
}

function problemOf({ problem }: FormPage, texts: Texts): Html | undefined {
  return problem && html`<p class="problem" id="problem" role="alert">${texts.problems[problem]}</p>`;
}

function layout(locale: Locale, title: string, content: Html): string {
  return html`<!doctype html>
<html lang="${locale}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <title>${title} · Sendlap</title>
    <link rel="stylesheet" href="${STYLE_PATH}">
  </head>
  <body>
    <main>
      <header>
        <p class="brand">Sendlap</p>
        <p class="tagline">${TEXTS[locale].tagline}</p>
      </header>
      <section class="card">
        <h1>${title}</h1>${content}
      </section>
    </main>
  </body>
</html>
`.text;
}
