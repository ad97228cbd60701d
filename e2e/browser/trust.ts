import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

/**
 * Returns the switch by which Chromium trusts the certificate that the server at this address shows, as if its CA had
 * been trusted in the device's settings, which no browser lets a program change.
 */
export async function trustSwitch({ hostname, port }: URL): Promise<string> {
  const socket: TLSSocket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  const key = new X509Certificate(raw).publicKey.export({ type: 'spki', format: 'der' });
  return `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`;
}
