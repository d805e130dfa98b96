import { traceIfConfigured } from '@deal-signals/runtime/tracing';

// This runs before the app is loaded, because loading it loads the traced libraries.
await traceIfConfigured('worker', process.env);
await import('./run.ts');
