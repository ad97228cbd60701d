import { LOGIN_PATH, REGISTER_PATH } from '@sendlap/contract/wire/screens.ts';
import { html } from '#api/http/pages/html.ts';
import { layout, notice } from '#api/http/pages/layout.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import type { SignUpProblem } from '../accounts.ts';
import { displayNameField, emailField, formProblemMessage, newPasswordField } from './fields.ts';
import { type FormPage, formStateOf } from './sign-in-views.ts';
import { TEXTS } from './texts.ts';

interface SentPage {
  page: FormPage;
  email: string;
  /** The visitor asked for one more mail. */
  is_repeat: boolean;
}

/** The same page for every address, known or not. */
export function signUpSentPage({ page: { locale, base_path }, email, is_repeat }: SentPage): string {
  const texts = TEXTS[locale];
  const { title, to, body } = texts.sign_up_sent;
  return layout(
    locale,
    title,
    html`
    <p class="lead">${to} <strong class="address">${email}</strong>. ${body}</p>
    <form method="post" action="${base_path}/sign-up" novalidate>
      <input type="hidden" name="email" value="${email}">
      <input type="hidden" name="repeat" value="1">
      <p class="hint apart">${is_repeat ? texts.sign_up_resent : ''} ${texts.forgot_again}</p>
      <button type="submit" class="quiet">${texts.sign_up_resend}</button>
    </form>
    <p class="other"><a href="${base_path}/sign-up">${texts.sign_up_other_email}</a></p>
    <p class="other">${texts.sign_up_elsewhere} <a href="${base_path}/sign-in">${texts.sign_in}</a></p>`,
  );
}

interface LastStepPage {
  locale: Locale;
  /** Path of the link, without its secret. */
  path: string;
  token: string;
  email: string;
  problem?: SignUpProblem;
  display_name?: string;
  /** The password, if it was refused. One that may become the account's is never sent back. */
  refused_password?: string | undefined;
}

/** The page of the mailed link. It hands the link's secret on in the form, so that no later URL contains it. */
export function lastStepPage(page: LastStepPage): string {
  const { locale, path, token, email, display_name, refused_password } = page;
  const texts = TEXTS[locale];
  const state = formStateOf(page);
  const focused = page.problem ? state : { ...state, focused_field: 'display_name' as const };
  return layout(
    locale,
    texts.sign_up_last_step,
    html`
    <form method="post" action="${path}" novalidate>
      ${formProblemMessage(state)}
      <input type="hidden" name="ui_locales" value="${locale}">
      <input type="hidden" name="token" value="${token}">
      ${emailField(locale, email, focused, true)}
      ${displayNameField(locale, display_name, focused)}
      ${newPasswordField(locale, texts.password, focused, refused_password)}
      <button type="submit">${texts.sign_up}</button>
    </form>`,
  );
}

/** The account is created, but this browser has no sign-in that could go on into the app. */
export function signUpDonePage(locale: Locale): string {
  const { sign_up_done, sign_in } = TEXTS[locale];
  return notice(locale, sign_up_done, html`<a class="button" href="${LOGIN_PATH}">${sign_in}</a>`);
}

export function signUpInvalidPage(locale: Locale): string {
  const { sign_up_invalid, sign_in, sign_up } = TEXTS[locale];
  return notice(
    locale,
    sign_up_invalid,
    html`
    <a class="button" href="${LOGIN_PATH}">${sign_in}</a>
    <p class="other"><a href="${REGISTER_PATH}">${sign_up}</a></p>`,
  );
}
