import { createApiReference } from './assets/scalar-VERSION/standalone.esm.js';

// With these options Scalar sends requests only to this server: no fonts, no request proxy, no statistics, no assistant. It
// stores no credentials after the page is closed.
createApiReference('#reference', {
  url: '/api/v1/docs/reference.json',
  telemetry: false,
  proxyUrl: '',
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  // The header has a link to the machine-readable document.
  documentDownloadType: 'none',
  // The reference follows the colour scheme of the system.
  hideDarkModeToggle: true,
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'apiKeyAuth' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
