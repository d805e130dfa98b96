import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { howToInstall } from '../stores/install.ts';
import { EXIT_CODES, parse, type Subcommand, UsageError } from './command.ts';

/** As long as browsers accept a certificate that the user has installed. */
const DAYS = 825;
const DAY_MS = 86_400_000;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '::1'];

const HELP = `usage: deal-signals certificate [HOST …] [options]

Makes an HTTPS certificate for trying a receiver on this machine, valid for ${LOCAL_HOSTS.join(', ')} and the HOSTs, for ${DAYS} days.
Needs no connection, but the package selfsigned.

  --out FOLDER        where localhost.crt and localhost.key go; default: here
  --force             replace files that are there

No public authority has signed it, so a client has to be told of it: NODE_EXTRA_CA_CERTS=localhost.crt for programs in Node.js,
curl --cacert localhost.crt, WEBHOOK_CA_FILE=localhost.crt for a worker of your own.`;

/** `deal-signals certificate` */
export const certificate: Subcommand = {
  summary: 'makes an HTTPS certificate for trying a receiver on this machine',
  help: HELP,
  async run(argv, { print }) {
    const { values, positionals } = parse({
      args: argv,
      allowPositionals: true,
      options: { out: { type: 'string', default: '.' }, force: { type: 'boolean', default: false } },
    });
    const [certificateFile, keyFile] = ['localhost.crt', 'localhost.key'].map((name) =>
      path.join(values.out, name),
    ) as [string, string];
    const present = [certificateFile, keyFile].filter((file) => existsSync(file));
    if (present.length > 0 && !values.force) {
      throw new UsageError(`${present.join(' and ')} would be replaced; say --force to do that`);
    }
    const { cert, private: key } = await issue([...LOCAL_HOSTS, ...positionals]);
    // Nobody else of this machine may read the key. The mode is only that of a new file.
    rmSync(keyFile, { force: true });
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(certificateFile, cert);
    print(
      `${certificateFile} and ${keyFile} are for https.createServer({ cert, key }). See --help for who has to trust it.`,
    );
    return EXIT_CODES.done;
  },
};

async function issue(hosts: readonly string[]): Promise<{ cert: string; private: string }> {
  let selfsigned: typeof import('selfsigned');
  try {
    selfsigned = await import('selfsigned');
  } catch (error) {
    throw new Error(`a certificate needs the package selfsigned: ${howToInstall('selfsigned')}`, {
      cause: error,
    });
  }
  return selfsigned.generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) => (isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host })),
      },
    ],
  });
}
