import type { FastifyInstance } from 'fastify';

const PREFIX = '__Host-';
/** WebKit's own browsers: others that name Safari have no `Version`. */
const SAFARI = /\bVersion\/[\d.]+ .*\bSafari\//;

/**
 * Safari stores no `Secure` cookie of plain http, not even of localhost, where other browsers do. There it gets
 * ours without `Secure`, and without the prefix that requires it; to the routes they keep their names.
 */
export function keepCookiesInSafari(app: FastifyInstance, public_url: string): void {
  if (!public_url.startsWith('http:')) return;
  app.addHook('onRequest', (request, _reply, done) => {
    if (SAFARI.test(request.headers['user-agent'] ?? '')) {
      for (const [name, value] of Object.entries(request.cookies)) request.cookies[PREFIX + name] ??= value;
    }
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    const lines = reply.getHeader('set-cookie');
    if (lines !== undefined && SAFARI.test(request.headers['user-agent'] ?? '')) {
      reply.removeHeader('set-cookie');
      reply.header('set-cookie', [lines].flat().map(withoutSecure));
    }
    done();
  });
}

function withoutSecure(line: string | number): string {
  return String(line)
    .replace(PREFIX, '')
    .replace(/; secure(?=;|$)/i, '');
}
