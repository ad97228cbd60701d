import { type Html, html } from '#api/http/pages/html.ts';
import type { Locale } from '#api/http/pages/locale.ts';
import { TEXTS, type Texts } from './texts.ts';

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

/** `focused_field`: the field with the cursor; `invalid_field`: the field that the page's problem is about. */
interface FieldState {
  focused_field: Field['name'];
  invalid_field: Field['name'] | undefined;
}

/** A labelled input. Passwords have no maxlength: it would cut a pasted one silently. */
export function field(shown: Field, { focused_field, invalid_field }: FieldState): Html {
  const { name, label, type, autocomplete, hint, value, max_length, read_only } = shown;
  const described_by = [hint && `${name}-hint`, invalid_field === name && 'problem'].filter(Boolean).join(' ');
  return html`
      <div class="field">
        <label for="${name}">${label}</label>
        <input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required
          ${type === 'email' && html`inputmode="email" autocapitalize="none" spellcheck="false"`}
          ${value !== undefined && html`value="${value}"`}
          ${max_length !== undefined && html`maxlength="${max_length}"`}
          ${described_by !== '' && html`aria-describedby="${described_by}"`}
          ${invalid_field === name && html`aria-invalid="true"`}
          ${read_only === true && html`readonly`}
          ${focused_field === name && html`autofocus`}>
        ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
      </div>`;
}

export function emailField(locale: Locale, value: string | undefined, state: FieldState, read_only = false): Html {
  const { email: label } = TEXTS[locale];
  return field({ name: 'email', label, type: 'email', autocomplete: 'username', value, read_only }, state);
}

export function newPasswordField(locale: Locale, label: string, state: FieldState): Html {
  const { password_hint: hint } = TEXTS[locale];
  return field({ name: 'password', label, hint, type: 'password', autocomplete: 'new-password' }, state);
}

export function problemMessage(locale: Locale, problem: keyof Texts['problems'] | undefined): Html | undefined {
  return problem && html`<p class="problem" id="problem" role="alert">${TEXTS[locale].problems[problem]}</p>`;
}
