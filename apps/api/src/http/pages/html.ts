const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Markup that is safe to send: only `html` creates it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | false | undefined;

/** A template that escapes its values, in text and in quoted attributes; `false` and undefined print nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, index) => text + (index < parts.length ? renderPart(parts[index]) : '')).join(''));
}

function renderPart(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === false || part === undefined) return '';
  return String(part).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
