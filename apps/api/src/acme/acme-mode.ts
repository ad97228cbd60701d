import type { Server } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { explainListenError } from '../http/listening/listen-address.ts';
import { secureOptions, type TlsPair } from '../http/listening/tls.ts';
import type { Env } from '../platform/env.ts';
import type { PeriodicJob } from '../platform/periodic-job.ts';
import { openAcmeCertificate } from './acme-certificate.ts';
import { openChallengeServer } from './challenge-server.ts';

export interface AcmeMode {
  tls: TlsPair;
  /** Renews the certificate while this server runs, which then uses the new one for new connections. */
  renewFor(server: Pick<Server, 'setSecureContext'>): void;
  close(): Promise<void>;
}

interface AcmeModeOptions {
  env: Pick<Env, 'HOST' | 'HTTP_PORT' | 'PUBLIC_URL' | 'ACME_DIRECTORY'>;
  email: string;
  data_dir: string;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  now?: () => Date;
}

/**
 * Obtains the certificate of PUBLIC_URL's name, and answers plain http at HTTP_PORT for as long as the server runs.
 * Throws a StartError that names the setting or the damaged file.
 */
export async function openAcmeMode(options: AcmeModeOptions): Promise<AcmeMode> {
  const { env, email, data_dir, log, now = () => new Date() } = options;
  const address = { port: env.HTTP_PORT, host: env.HOST };
  const challenges = await openChallengeServer(address, env.PUBLIC_URL).catch((error: unknown) => {
    throw explainListenError(error, address, 'HTTP_PORT');
  });
  let renewal: PeriodicJob | undefined;
  const attempts = new AbortController();
  const close = async () => {
    attempts.abort();
    await renewal?.close();
    await challenges.close();
  };
  try {
    const certificate = await openAcmeCertificate({
      data_dir,
      directory_url: env.ACME_DIRECTORY,
      email,
      host: new URL(env.PUBLIC_URL).hostname,
      answerChallenge: challenges.answer,
      log,
      signal: attempts.signal,
      now,
    });
    return {
      tls: certificate.tls,
      renewFor(server) {
        renewal = certificate.createRenewal((tls) => server.setSecureContext(secureOptions(tls)));
        renewal.start();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
