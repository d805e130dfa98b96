// The certificate library refuses to load without this polyfill.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import { type KeyObject, X509Certificate, createPrivateKey, randomBytes, webcrypto } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import * as x509 from '@peculiar/x509';
import { writePrivateFile } from '../files/private-file.ts';

export interface CertificateAuthority {
  /** Path of the authority's certificate (PEM). */
  readonly certificateFile: string;
  /** The authority's certificate (PEM). */
  readonly certificate: string;
  readonly key: KeyObject;
}

/** A certificate and its private key as PEM, ready for `https.createServer`. */
export interface IssuedCertificate {
  cert: string;
  key: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const AUTHORITY_DAYS = 3650;
const CERTIFICATE_DAYS = 90;
/** The authority is replaced before a certificate issued today could outlive it. */
const RENEW_BEFORE_MS = (CERTIFICATE_DAYS + 1) * DAY_MS;
/** Certificates become valid this long before now, because the clocks of containers and virtual machines may lag. */
const BACKDATE_MS = 5 * 60 * 1000;
const KEYS = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' };

/**
 * Opens the certificate authority stored in a folder (`ca.pem`, `ca-key.pem`), or creates a new one there if it is
 * missing, unreadable or about to expire.
 */
export async function openCertificateAuthority(folder: string): Promise<CertificateAuthority> {
  const certificateFile = path.join(folder, 'ca.pem');
  const keyFile = path.join(folder, 'ca-key.pem');
  const kept = await readAuthority(certificateFile, keyFile);
  if (kept !== undefined) return { certificateFile, ...kept };

  await mkdir(folder, { recursive: true });
  const keys = await webcrypto.subtle.generateKey(KEYS, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Deal Signals local certificate authority',
    ...serialAndValidity(AUTHORITY_DAYS),
    signingAlgorithm: SIGNATURE,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pem = certificate.toString('pem');
  const keyPem = await exportKey(keys.privateKey);
  await writePrivateFile(keyFile, keyPem);
  await writeFile(certificateFile, pem);
  return { certificateFile, certificate: pem, key: createPrivateKey(keyPem) };
}

/**
 * Issues a server certificate for host names and IP addresses.
 * @param validDays days until the certificate expires; negative for one that expired that many days ago.
 * @param isForClients whether the server also uses it as a client certificate.
 */
export async function issueCertificate(
  authority: CertificateAuthority,
  hosts: [string, ...string[]],
  validDays = CERTIFICATE_DAYS,
  isForClients = false,
): Promise<IssuedCertificate> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const issuerKey = await webcrypto.subtle.importKey(
    'pkcs8',
    authority.key.export({ type: 'pkcs8', format: 'der' }),
    KEYS,
    false,
    ['sign'],
  );
  const keys = await webcrypto.subtle.generateKey(KEYS, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=Deal Signals local server',
    issuer: issuer.subjectName,
    ...serialAndValidity(validDays),
    signingAlgorithm: SIGNATURE,
    publicKey: keys.publicKey,
    signingKey: issuerKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.serverAuth,
        ...(isForClients ? [x509.ExtendedKeyUsage.clientAuth] : []),
      ]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { cert: certificate.toString('pem'), key: await exportKey(keys.privateKey) };
}

/** Returns undefined unless both files exist, belong together and stay valid for long enough. */
async function readAuthority(
  certificateFile: string,
  keyFile: string,
): Promise<{ certificate: string; key: KeyObject } | undefined> {
  try {
    const certificate = await readFile(certificateFile, 'utf8');
    const key = createPrivateKey(await readFile(keyFile, 'utf8'));
    const parsed = new X509Certificate(certificate);
    const remainingMs = Date.parse(parsed.validTo) - Date.now();
    return remainingMs > RENEW_BEFORE_MS && parsed.checkPrivateKey(key) ? { certificate, key } : undefined;
  } catch {
    return undefined;
  }
}

function serialAndValidity(days: number): { serialNumber: string; notBefore: Date; notAfter: Date } {
  // Clearing the first bit keeps the number positive. Setting the second bit keeps its length fixed.
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  return {
    serialNumber: serial.toString('hex'),
    // Even the validity of an expired certificate has to begin before it ends.
    notBefore: new Date(Date.now() + Math.min(days, 0) * DAY_MS - BACKDATE_MS),
    notAfter: new Date(Date.now() + days * DAY_MS),
  };
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
}
