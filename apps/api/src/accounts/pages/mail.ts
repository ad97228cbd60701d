import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailSettings {
  /** smtp:// or smtps://, with name and password of the server if it wants them. */
  smtp_url: string;
  /** What the operator gave as sender: an address, or `Name <address>`. */
  from: string;
}

/** Why a mail was not taken, without the address and without the server's words, which often repeat it. */
export class MailError extends Error {
  /** nodemailer's code, e.g. ECONNECTION, ETIMEDOUT, EENVELOPE, EAUTH. */
  readonly code: string;
  /** The server's reply code, e.g. 550. */
  readonly response_code: number | undefined;

  constructor(code: string, response_code: number | undefined) {
    super('The mail could not be handed over');
    this.code = code;
    this.response_code = response_code;
  }
}

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 15_000;
const SEND_TIMEOUT_MS = 30_000;

/** Hands mails to the operator's mail server, one connection each. */
export function createMailer({ smtp_url, from }: MailSettings) {
  const transport = createTransport({
    url: smtp_url,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
  });
  return {
    /** Throws a MailError when the server does not take the mail within 30 s, or when `signal` says to give up. */
    async send({ to, ...content }: Mail, signal: AbortSignal): Promise<void> {
      try {
        await transport.sendMail({
          ...content,
          from,
          // As an object it is one address, whatever stands in it.
          to: { name: '', address: to },
          headers: { 'Auto-Submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
        });
      } catch (error) {
        throw toMailError(error);
      }
    },
  };
}

function toMailError(error: unknown): MailError {
  const { code, responseCode } = Object(error) as { code?: unknown; responseCode?: unknown };
  return new MailError(
    typeof code === 'string' ? code : 'UNKNOWN',
    typeof responseCode === 'number' ? responseCode : undefined,
  );
}
