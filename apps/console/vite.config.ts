import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `API_URL` is where `vite` finds the API during development, such as that of `pnpm start`. */
const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/console/',
  plugins: [tanstackRouter({ target: 'react', autoCodeSplitting: true }), react()],
  build: {
    // Fonts stay files: the policy of the page allows none inside a stylesheet.
    assetsInlineLimit: 0,
    target: 'es2023',
    // The first ones with `light-dark()`: for older ones, it would be replaced by variables that nothing sets.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/console/api/': api, '/api/v1': api } },
});
