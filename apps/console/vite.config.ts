import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The URL of the API during development with `vite`, such as that of `pnpm start`. */
const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/console/',
  plugins: [tanstackRouter({ target: 'react', autoCodeSplitting: true }), react()],
  build: {
    // Fonts stay separate files, because the content security policy forbids them inside a stylesheet.
    assetsInlineLimit: 0,
    target: 'es2023',
    // The first browser versions with `light-dark()`. For older ones, the build would replace it with variables that are never
    // set.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/console/api/': api, '/api/v1': api } },
});
