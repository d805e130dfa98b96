import { traceIfConfigured } from '@deal-signals/runtime/tracing';

// Before the app is loaded, because tracing must patch the libraries first.
await traceIfConfigured('api', process.env);
await import('./run.ts');
