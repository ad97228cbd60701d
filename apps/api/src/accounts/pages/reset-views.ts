import { FORGOT_PATH, LOGIN_PATH } from '@sendlap/contract/wire/screens.ts';
import { html } from '#api/http/pages/html.ts';
import { layout, notice } from '#api/http/pages/layout.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import type { PasswordProblem } from '../passwords.ts';
import { emailField, type FormState, formProblemMessage, newPasswordField } from './fields.ts';
import { TEXTS } from './texts.ts';

export const RESET_PATH = '/oidc/reset';

/** The page that asks for the e-mail. */
export function forgotPage(locale: Locale, email = '', problem?: 'email_invalid' | 'too_many_links'): string {
  const texts = TEXTS[locale];
  const field = problem === 'email_invalid' ? 'email' : undefined;
  const state: FormState = {
    focused_field: 'email',
    problem: problem && { text: texts.problems[problem], field },
  };
  return layout(
    locale,
    texts.forgot_title,
    html`
    <form method="post" action="${FORGOT_PATH}" novalidate>
      ${formProblemMessage(state)}
      <p class="lead">${texts.forgot_body}</p>
      <input type="hidden" name="ui_locales" value="${locale}">
      ${emailField(locale, email, state)}
      <button type="submit">${texts.forgot_submit}</button>
    </form>
    <p class="other"><a href="${LOGIN_PATH}">${texts.back}</a></p>`,
  );
}

/** The same page for every address, known or not. */
export function forgotSentPage(locale: Locale): string {
  const texts = TEXTS[locale];
  return notice(
    locale,
    texts.forgot_sent,
    html`
    <p class="lead">${texts.forgot_again}</p>
    <a class="button" href="${LOGIN_PATH}">${texts.back}</a>
    <p class="other"><a href="${FORGOT_PATH}?ui_locales=${locale}">${texts.reset_ask_again}</a></p>`,
  );
}

interface ResetPage {
  locale: Locale;
  email: string;
  token: string;
  problem?: PasswordProblem | 'too_many_attempts';
  /** The new password, if it was refused. One that may become the account's is never sent back. */
  refused_password?: string;
}

/** The page for the new password. Only the form contains the link's secret, so that no later URL does. */
export function resetPage({ locale, email, token, problem, refused_password }: ResetPage): string {
  const texts = TEXTS[locale];
  const state: FormState = {
    focused_field: 'password',
    problem: problem && {
      text: texts.problems[problem],
      field: problem === 'too_many_attempts' ? undefined : 'password',
    },
  };
  return layout(
    locale,
    texts.reset_title,
    html`
    <form method="post" action="${RESET_PATH}" novalidate>
      ${formProblemMessage(state)}
      <input type="hidden" name="ui_locales" value="${locale}">
      <input type="hidden" name="token" value="${token}">
      ${emailField(locale, email, state, true)}
      ${newPasswordField(locale, texts.new_password, state, refused_password)}
      <button type="submit">${texts.reset_submit}</button>
    </form>`,
  );
}

export function resetDonePage(locale: Locale): string {
  const { reset_done, sign_in } = TEXTS[locale];
  return notice(locale, reset_done, html`<a class="button" href="${LOGIN_PATH}">${sign_in}</a>`);
}

/** `can_request_link`: this server sends mails, so the visitor can request another link without the operator. */
export function resetInvalidPage(locale: Locale, can_request_link: boolean): string {
  const texts = TEXTS[locale];
  const actions = can_request_link
    ? html`<a class="button" href="${FORGOT_PATH}?ui_locales=${locale}">${texts.reset_ask_again}</a>`
    : html`<p class="hint apart">${texts.forgot_by_operator}</p><a class="button" href="${LOGIN_PATH}">${texts.back}</a>`;
  return notice(locale, texts.reset_invalid, actions);
}
