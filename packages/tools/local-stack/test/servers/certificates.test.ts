import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TLSSocket, connect, createServer } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import {
  type CertificateAuthority,
  issueCertificate,
  openCertificateAuthority,
} from '../../src/servers/certificates.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Connects to a server with a certificate for these hosts. Returns the code of the client's error, if any. */
async function handshake(
  authority: CertificateAuthority,
  hosts: [string, ...string[]],
  client: { servername?: string; ca?: string },
): Promise<string | undefined> {
  const server = createServer(await issueCertificate(authority, hosts), (socket) => socket.end());
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket: TLSSocket = connect({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    ...(client.ca !== undefined && { ca: client.ca }),
    ...(client.servername !== undefined && { servername: client.servername }),
  });
  try {
    await once(socket, 'secureConnect');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    socket.destroy();
    server.close();
  }
}

describe('the local certificate authority', () => {
  test('issues certificates that a real handshake accepts for their hosts and for no others', async () => {
    const authority = await openCertificateAuthority(await temporaryFolder());
    const ca = authority.certificate;
    expect(await handshake(authority, ['127.0.0.1'], { ca })).toBeUndefined();
    expect(
      await handshake(authority, ['127.0.0.1', 'localhost'], { ca, servername: 'localhost' }),
    ).toBeUndefined();
    expect(await handshake(authority, ['localhost'], { ca })).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await handshake(authority, ['127.0.0.1'], {})).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  test('is kept, and only its owner can read the key', async () => {
    const folder = path.join(await temporaryFolder(), 'new');
    const first = await openCertificateAuthority(folder);
    expect(((await stat(path.join(folder, 'ca-key.pem'))).mode & 0o777).toString(8)).toBe('600');
    expect(first.certificate).toBe(await readFile(path.join(folder, 'ca.pem'), 'utf8'));
    const second = await openCertificateAuthority(folder);
    expect(second.certificate).toBe(first.certificate);
    expect(await handshake(second, ['127.0.0.1'], { ca: first.certificate })).toBeUndefined();
  });

  test('is replaced if the key does not match the certificate', async () => {
    const folder = await temporaryFolder();
    const other = await temporaryFolder();
    const first = await openCertificateAuthority(folder);
    await openCertificateAuthority(other);
    await writeFile(path.join(folder, 'ca-key.pem'), await readFile(path.join(other, 'ca-key.pem')));
    const second = await openCertificateAuthority(folder);
    expect(second.certificate).not.toBe(first.certificate);
    expect(await handshake(second, ['127.0.0.1'], { ca: second.certificate })).toBeUndefined();
  });

  test('marks which certificate may sign others', async () => {
    const authority = await openCertificateAuthority(await temporaryFolder());
    const issued = new X509Certificate((await issueCertificate(authority, ['127.0.0.1'])).cert);
    const root = new X509Certificate(authority.certificate);
    expect([root.ca, issued.ca]).toEqual([true, false]);
    expect(issued.checkIssued(root)).toBe(true);
    expect(issued.subjectAltName).toBe('IP Address:127.0.0.1');
  });
});
