import { createApiReference } from './assets/scalar-VERSION/standalone.esm.js';

// With these options Scalar asks nobody but this server: no fonts, no proxy for requests, no statistics, no assistant. It keeps no
// credentials after the page is closed.
createApiReference('#reference', {
  url: '/api/v1/docs/reference.json',
  telemetry: false,
  proxyUrl: '',
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  // The header has a link to the document for programs.
  documentDownloadType: 'none',
  // The reference follows the system.
  hideDarkModeToggle: true,
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'apiKeyAuth' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
