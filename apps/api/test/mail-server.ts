import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body as they came over the wire. */
  raw: string;
}

export interface MailServer {
  /** For SMTP_URL. */
  url: string;
  received: ReceivedMail[];
  /** Ends it at once, connections that hang included. */
  close(): Promise<void>;
}

/** A real SMTP server on a free port of this machine. `options`: for one that is slow or refuses. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 50,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
    ...options,
  });
  // Clients that hang up in the middle are part of the tests.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The body parts of a mail, decoded: text first, then markup. */
export function partsOf({ raw }: ReceivedMail): { text: string; html: string } {
  // The boundary itself: a line that is wrapped before a dash begins with one too.
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? '';
  const parts = raw.split(`\r\n--${boundary}`);
  const read = (type: string) => {
    const part = parts.find((found) => found.startsWith(`\r\nContent-Type: ${type};`)) ?? '';
    const body = part.slice(part.indexOf('\r\n\r\n') + 4);
    const encoding = /Content-Transfer-Encoding: ([\w-]+)/.exec(part)?.[1];
    if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
    if (encoding !== 'quoted-printable') return body;
    const bytes = body
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_code, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, 'latin1').toString();
  };
  return { text: read('text/plain'), html: read('text/html') };
}
