import { type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';

/**
 * JSON lines, or readable ones on a terminal. Requests are logged without query and body: codes and coordinates
 * never reach a log.
 */
export function createLogger(level: string, is_tty: boolean): Logger {
  const options = {
    level,
    base: null,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
    serializers: {
      req: (request: { method: string; url: string }) => ({ method: request.method, path: request.url.split('?')[0] }),
    },
  };
  return is_tty ? pino(options, PinoPretty({ colorize: true, ignore: 'pid,hostname,reqId' })) : pino(options);
}
