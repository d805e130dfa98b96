import { isIP } from 'node:net';
import { z } from 'zod';
import { logLevel } from './logger.ts';
import { setting } from './settings.ts';

const listenAddress = z
  .string()
  .refine((value) => isIP(value) !== 0, 'must be an IP address, such as 127.0.0.1, 0.0.0.0 or ::');

/** The settings of every process. Each app includes them in its own settings. */
export const processVariables = {
  // Loopback by default, so that the ports are reachable from other hosts only if the operator configures it.
  HOST: setting(listenAddress, {
    about: 'the address to listen on',
    form: 'an IP address; `0.0.0.0` or `::` for all addresses',
    preset: '127.0.0.1',
  }),
  LOG_LEVEL: setting(logLevel, {
    about: 'the lowest severity that is logged; see [the log](operations.md#the-log)',
    form: 'error, warn, info or debug',
    preset: 'info',
  }),
  // Read by `traceIfConfigured`, before anything else is loaded.
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(z.string(), {
    about: 'the OpenTelemetry collector that traces are sent to: see [Traces](operations.md#traces)',
    form: 'a URL',
    otherwise: 'no traces',
  }),
};
