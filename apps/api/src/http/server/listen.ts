import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigurationError } from '@deal-signals/runtime/read-environment';

/**
 * Opens a port.
 *
 * @param variable the name of the setting for the port.
 * @returns the port it listens on.
 * @throws ConfigurationError with the setting if the port is not available.
 */
export async function listen(server: Server, variable: string, port: number, host: string): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new ConfigurationError(
      `${variable}: cannot listen on ${port} of ${host} (${(error as NodeJS.ErrnoException).code})`,
      { cause: error },
    );
  }
  return (server.address() as AddressInfo).port;
}
