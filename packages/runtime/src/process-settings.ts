import { z } from 'zod';
import { logLevel } from './logger.ts';
import { listenAddress, setting } from './settings.ts';

/** The settings of every process; part of each app's object. */
export const processVariables = {
  HOST: listenAddress('the address that the ports are opened on'),
  LOG_LEVEL: setting(logLevel, {
    about: 'how much is logged; see [the log](../operations.md#the-log)',
    form: 'error, warn, info or debug',
    preset: 'info',
  }),
  // Read by `traceIfConfigured`, before anything else is loaded.
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(z.string(), {
    about: 'the OpenTelemetry collector that traces are sent to: see [Traces](../operations.md#traces)',
    form: 'a URL',
    otherwise: 'no traces',
  }),
};
