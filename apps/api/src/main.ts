import { traceIfConfigured } from '@deal-signals/runtime/tracing';

// Before the app is loaded, with the libraries that are traced.
await traceIfConfigured('api', process.env);
await import('./run.ts');
