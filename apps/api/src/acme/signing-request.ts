import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

const { asn1, md, pki } = forge;

/** Makes a key (PEM) and the request for a certificate of it for `host` (PKCS #10, base64url of DER). */
export function makeSigningRequest(host: string): { key: string; request: string } {
  const { publicKey, privateKey: key } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const request = pki.createCertificationRequest();
  request.publicKey = pki.publicKeyFromPem(publicKey);
  request.setSubject([]);
  request.setAttributes([
    { name: 'extensionRequest', extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }] },
  ]);
  request.sign(pki.privateKeyFromPem(key), md.sha256.create());
  const der = asn1.toDer(pki.certificationRequestToAsn1(request)).getBytes();
  return { key, request: Buffer.from(der, 'binary').toString('base64url') };
}
