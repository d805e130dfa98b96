import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import {
  type IssuedCertificate,
  issueCertificate,
  openCertificateAuthority,
} from '@deal-signals/local-stack/servers/certificates';
import { currentTestRun } from '../test-run.ts';

/**
 * Issues a certificate from the receivers' authority, for hosts that the receivers' own certificate does not name.
 *
 * @param validDays days until the certificate expires; negative for one that has expired.
 * @param isForClients whether the server also uses it as a client certificate.
 */
export async function issueTestCertificate(
  hosts: [string, ...string[]],
  validDays?: number,
  isForClients?: boolean,
): Promise<IssuedCertificate> {
  const authority = await openCertificateAuthority(currentTestRun().folder);
  return issueCertificate(authority, hosts, validDays, isForClients);
}

/** Issues certificates that no process trusts: one for 127.0.0.1 from an unknown authority, and that authority's own. */
export async function issueForeignCertificates(): Promise<{
  issued: IssuedCertificate;
  selfSigned: IssuedCertificate;
}> {
  const authority = await openCertificateAuthority(
    await mkdtemp(path.join(currentTestRun().folder, 'foreign-')),
  );
  return {
    issued: await issueCertificate(authority, ['127.0.0.1']),
    selfSigned: {
      cert: authority.certificate,
      key: authority.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  };
}
