import { inspect, styleText } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';

const WARN = 40;
const ERROR = 50;

/**
 * JSON lines, or readable ones on a terminal. Requests are logged without query and body, errors of the database without
 * the row: codes and coordinates never reach a log. `destination`: replaces the standard output.
 */
export function createLogger(level: string, is_tty: boolean, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
    serializers: {
      err: describeError,
      req: (request: { method: string; url: string }) => ({ method: request.method, path: request.url.split('?')[0] }),
    },
  };
  if (destination) return pino(options, destination);
  return is_tty ? pino(options, { write: (line) => process.stdout.write(toReadable(line)) }) : pino(options);
}

/** PostgreSQL quotes whole rows in two of these fields: names, addresses, positions. `input` is a URL that cannot be parsed. */
function describeError(error: Error): object {
  const { detail: _detail, where: _where, input: _input, ...fields } = pino.stdSerializers.err(error);
  return fields;
}

/**
 * Returns a JSON line of pino as "time LEVEL message fields", with an error's stack below. A terminal shows one node, so
 * its name is left out.
 */
export function toReadable(line: string): string {
  const { time, level, msg = '', node: _, err, ...fields } = JSON.parse(line);
  const label = pino.levels.labels[level] ?? String(level);
  const color = level >= ERROR ? 'red' : level >= WARN ? 'yellow' : 'green';
  const fields_text =
    Object.keys(fields).length === 0 ? '' : ` ${styleText('gray', inspect(fields, { breakLength: Infinity }))}`;
  const stack = err ? `\n${err.stack ?? inspect(err)}` : '';
  const time_text = styleText('gray', new Date(time).toLocaleTimeString('en-GB'));
  return `${time_text} ${styleText(color, label.toUpperCase())} ${msg}${fields_text}${stack}\n`;
}
