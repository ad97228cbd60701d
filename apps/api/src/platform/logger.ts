import { type DestinationStream, type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';

/**
 * JSON lines, or readable ones on a terminal. Requests are logged without query and body: codes and coordinates
 * never reach a log. `destination`: elsewhere than to the standard output.
 */
export function createLogger(level: string, is_tty: boolean, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
    serializers: {
      req: (request: { method: string; url: string }) => ({ method: request.method, path: request.url.split('?')[0] }),
    },
  };
  if (destination) return pino(options, destination);
  return is_tty ? pino(options, PinoPretty({ colorize: true, ignore: 'pid,hostname,reqId' })) : pino(options);
}
