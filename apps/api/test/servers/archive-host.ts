import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerRange } from '../archive-sources.ts';

/** A host of an archive that records the ranges it sent, and may misbehave. */
export interface ArchiveHost {
  url: string;
  /** As `bytes=from-to`; those that were answered in full. */
  ranges: string[];
  archive: Buffer;
  /** Answers as a good host. */
  answer: RequestListener;
  /** Answers in place of the host; undefined: the host itself does. */
  misbehave: RequestListener | undefined;
  close(): Promise<void>;
}

export async function openArchiveHost(archive: Buffer): Promise<ArchiveHost> {
  const whole = answerRange(() => {
    const etag = `"${createHash('sha256').update(host.archive).digest('hex').slice(0, 8)}"`;
    return { bytes: host.archive, etag };
  });
  const server = createServer((request, response) => (host.misbehave ?? host.answer)(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host: ArchiveHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/planet.pmtiles`,
    ranges: [],
    answer(request, response) {
      host.ranges.push(String(request.headers.range));
      whole(request, response);
    },
    archive,
    misbehave: undefined,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return host;
}
