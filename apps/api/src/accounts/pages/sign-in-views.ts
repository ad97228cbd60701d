import { LOGIN_PATH } from '@sendlap/contract/wire/screens.ts';
import { type Html, html } from '#api/http/pages/html.ts';
import { layout, notice } from '#api/http/pages/layout.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import {
  displayNameField,
  emailField,
  type Field,
  type FormState,
  field,
  formProblemMessage,
  newPasswordField,
} from './fields.ts';
import { type NoticeKind, type PageProblem, TEXTS } from './texts.ts';

export interface FormPage {
  locale: Locale;
  /** URL prefix of this sign-in's pages, e.g. /oidc/interaction/<uid>. */
  base_path: string;
  /** Path of the page for a forgotten password; null if no mail can be sent. */
  forgot_path: string | null;
  problem?: PageProblem;
  email?: string;
  display_name?: string;
  /** The new password, if it was refused. One that may become the account's is never sent back. */
  refused_password?: string | undefined;
}

/** The field of each problem, which is marked and gets the focus. */
const FIELD_OF_PROBLEM: Record<PageProblem, Field['name'] | undefined> = {
  credentials_wrong: 'password',
  too_many_attempts: undefined,
  too_many_links: undefined,
  too_many_mails: undefined,
  mail_failed: undefined,
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
  const state = formStateOf(page);
  return layout(
    page.locale,
    texts.sign_in,
    html`
    <form method="post" action="${page.base_path}/sign-in" novalidate>
      ${formProblemMessage(state)}
      ${emailField(page.locale, page.email, state)}
      ${field({ name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password' }, state)}
      <button type="submit">${texts.sign_in}</button>
    </form>
    ${forgotLink(page)}
    <p class="other">${texts.no_account} <a href="${page.base_path}/sign-up">${texts.sign_up}</a></p>`,
  );
}

export function signUpPage(page: FormPage): string {
  const texts = TEXTS[page.locale];
  const state = formStateOf(page);
  return layout(
    page.locale,
    texts.sign_up,
    html`
    <form method="post" action="${page.base_path}/sign-up" novalidate>
      ${formProblemMessage(state)}
      ${emailField(page.locale, page.email, state)}
      ${displayNameField(page.locale, page.display_name, state)}
      ${newPasswordField(page.locale, texts.password, state, page.refused_password)}
      <button type="submit">${texts.sign_up}</button>
    </form>
    <p class="other">${texts.have_account} <a href="${page.base_path}/sign-in">${texts.sign_in}</a></p>`,
  );
}

/** The sign-up on a server with mail: the form takes the e-mail address alone, a mailed link confirms it. */
export function mailedSignUpPage(page: FormPage): string {
  const texts = TEXTS[page.locale];
  const state = formStateOf(page);
  return layout(
    page.locale,
    texts.sign_up,
    html`
    <form method="post" action="${page.base_path}/sign-up" novalidate>
      ${formProblemMessage(state)}
      <p class="lead">${texts.sign_up_by_mail}</p>
      ${emailField(page.locale, page.email, { ...state, focused_field: 'email' })}
      <button type="submit">${texts.forgot_submit}</button>
    </form>
    <p class="other">${texts.have_account} <a href="${page.base_path}/sign-in">${texts.sign_in}</a></p>`,
  );
}

/** A page without a form: a title, a sentence and a link back. */
export function noticePage(locale: Locale, kind: NoticeKind): string {
  const texts = TEXTS[locale];
  return notice(locale, texts.notices[kind], html`<a class="button" href="${LOGIN_PATH}">${texts.back}</a>`);
}

function forgotLink({ locale, forgot_path }: FormPage): Html {
  const texts = TEXTS[locale];
  return forgot_path === null
    ? html`<p class="hint apart">${texts.forgot} ${texts.forgot_by_operator}</p>`
    : html`<p class="other"><a href="${forgot_path}">${texts.forgot}</a></p>`;
}

export function formStateOf({ locale, problem, email }: Pick<FormPage, 'locale' | 'problem' | 'email'>): FormState {
  const field_name = problem && FIELD_OF_PROBLEM[problem];
  return {
    focused_field: field_name ?? (email ? 'password' : 'email'),
    problem: problem && { text: TEXTS[locale].problems[problem], field: field_name },
  };
}
