export interface SseMessage {
  /** The last id in the stream, null before the first. */
  id: string | null;
  /** null: the message contains only an id. */
  data: string | null;
}

/**
 * Parses server-sent events (WHATWG HTML, 9.2.6) from pieces that may be cut anywhere. Returns a function that takes
 * the next piece.
 */
export function createSseParser(onMessage: (message: SseMessage) => void): (chunk: string) => void {
  let rest = '';
  let id: string | null = null;
  let data: string[] = [];
  let has_new_id = false;

  function handleLine(text: string): void {
    if (text === '') {
      if (data.length > 0) onMessage({ id, data: data.join('\n') });
      else if (has_new_id) onMessage({ id, data: null });
      data = [];
      has_new_id = false;
      return;
    }
    const colon = text.indexOf(':');
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) {
      id = value;
      has_new_id = true;
    }
  }

  return (chunk) => {
    rest += chunk;
    // A final carriage return may be the first half of a line break.
    const ends_open = rest.endsWith('\r');
    const lines = (ends_open ? rest.slice(0, -1) : rest).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + (ends_open ? '\r' : '');
    for (const text of lines) handleLine(text);
  };
}
