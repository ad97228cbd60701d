import { MAX_DISPLAY_NAME_LENGTH } from '@sendlap/domain/names.ts';
import { type Html, html } from '#api/http/pages/html.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import { TEXTS } from './texts.ts';

export interface Field {
  name: 'email' | 'display_name' | 'password';
  label: string;
  type: 'email' | 'text' | 'password';
  autocomplete: 'username' | 'nickname' | 'current-password' | 'new-password';
  hint?: string;
  value?: string | undefined;
  max_length?: number;
  /** The visitor can't change the field, but a password manager needs to see it. */
  read_only?: boolean;
}

/** The problem of the page; without a field it is about the whole form. */
interface FormProblem {
  text: string;
  field: Field['name'] | undefined;
}

export interface FormState {
  /** The field with the cursor. */
  focused_field: Field['name'];
  problem: FormProblem | undefined;
}

/** A labelled input, with its problem below it. Passwords have no maxlength: it would cut a pasted one silently. */
export function field(shown: Field, { focused_field, problem }: FormState): Html {
  const { name, label, type, autocomplete, hint, value, max_length, read_only } = shown;
  const is_invalid = problem?.field === name;
  const described_by = [is_invalid && 'problem', hint && `${name}-hint`].filter(Boolean).join(' ');
  return html`
      <div class="field">
        <label for="${name}">${label}</label>
        <input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required
          ${type === 'email' && html`inputmode="email" autocapitalize="none" spellcheck="false"`}
          ${value !== undefined && html`value="${value}"`}
          ${max_length !== undefined && html`maxlength="${max_length}"`}
          ${described_by !== '' && html`aria-describedby="${described_by}"`}
          ${is_invalid && html`aria-invalid="true"`}
          ${read_only === true && html`readonly`}
          ${focused_field === name && html`autofocus`}>
        ${is_invalid && problemMessage(problem)}
        ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
      </div>`;
}

export function emailField(locale: Locale, value: string | undefined, state: FormState, read_only = false): Html {
  const { email: label } = TEXTS[locale];
  return field({ name: 'email', label, type: 'email', autocomplete: 'username', value, read_only }, state);
}

export function displayNameField(locale: Locale, value: string | undefined, state: FormState): Html {
  const { display_name: label, display_name_hint: hint } = TEXTS[locale];
  // The input counts UTF-16 units, the server code points: an emoji is two of the former and one of the latter.
  const max_length = 2 * MAX_DISPLAY_NAME_LENGTH;
  return field({ name: 'display_name', label, hint, type: 'text', autocomplete: 'nickname', value, max_length }, state);
}

export function newPasswordField(locale: Locale, label: string, state: FormState, value?: string): Html {
  const { password_hint: hint } = TEXTS[locale];
  return field({ name: 'password', label, hint, type: 'password', autocomplete: 'new-password', value }, state);
}

/** The problem of the whole form; that of a field is below the field. */
export function formProblemMessage({ problem }: FormState): Html | undefined {
  return problem && problem.field === undefined ? problemMessage(problem) : undefined;
}

function problemMessage({ text }: FormProblem): Html {
  return html`<p class="problem" id="problem" role="alert">${text}</p>`;
}
