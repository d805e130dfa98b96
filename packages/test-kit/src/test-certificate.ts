import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import {
  type IssuedCertificate,
  issueCertificate,
  openCertificateAuthority,
} from '@deal-signals/local-stack/servers/certificates';
import { currentTestRun } from './test-run.ts';

/**
 * Issues a certificate of the authority that vouches for the receivers, for hosts that their own one does not name.
 * @param validDays from now on; negative for one that has expired.
 */
export async function issueTestCertificate(
  hosts: [string, ...string[]],
  validDays?: number,
): Promise<IssuedCertificate> {
  return issueCertificate(await openCertificateAuthority(currentTestRun().folder), hosts, validDays);
}

/** Makes certificates for 127.0.0.1 that nobody vouches for: one of an unknown authority, and that authority's own. */
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
