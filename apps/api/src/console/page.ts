import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import sirv from 'sirv';
import type { Settings } from '../config.ts';
import { readsOnly, refusePath, unavailable } from '../http/errors.ts';
import { addLogFields } from '../http/request-log.ts';

/** The folder of the built console. */
const FOLDER = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@deal-signals/console/package.json')),
  'dist',
);
/** The placeholder in the page that is replaced by the nonce. */
const NONCE = '__CSP_NONCE__';
const TRUSTED_ORIGINS = '__TRUSTED_ORIGINS__';
const SESSION_LINKS = '__SESSION_LINKS__';

/** The origins that may start a session of the console without asking its user. */
export type SessionTrust = Pick<Settings['console'], 'trustedOrigins' | 'linksStartSessions'>;

/** Serves the files of the console. Every other path returns the page itself, which renders the view of the path. */
export function createPageRouter(trust: SessionTrust): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const send = pageSender(trust);
  router.use((_request, response, next) => {
    addLogFields(response, { route: '/console' });
    next();
  }, readsOnly);
  router.use('/assets', createAssets(), refusePath);
  router.use(send);
  return router;
}

/** Serves the files with a hash in their names, compressed at build time. */
function createAssets(): RequestHandler {
  const folder = path.join(FOLDER, 'assets');
  if (!existsSync(folder)) return (_request, _response, next) => next();
  return sirv(folder, { brotli: true, gzip: true, etag: true, immutable: true, maxAge: 31_536_000 });
}

/** Sends the page. Its nonce allows the style elements that Mantine adds. */
function pageSender(trust: SessionTrust): (request: Request, response: Response) => void {
  const file = path.join(FOLDER, 'index.html');
  const page = existsSync(file)
    ? readFileSync(file, 'utf8')
        .replaceAll(TRUSTED_ORIGINS, trust.trustedOrigins.join(' '))
        .replaceAll(SESSION_LINKS, trust.linksStartSessions ? 'start' : 'ask')
    : null;
  return (_request, response) => {
    if (page === null) throw unavailable('the console has not been built; run: pnpm build');
    const nonce = randomBytes(16).toString('base64');
    response.set('Content-Security-Policy', policy(nonce, trust.trustedOrigins));
    // The policy lists the origins that may frame the page. This older header cannot list origins.
    response.removeHeader('X-Frame-Options');
    response.set('Cache-Control', 'no-store');
    response.type('html').send(page.replaceAll(NONCE, nonce));
  };
}

function policy(nonce: string, frameAncestors: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
  ].join('; ');
}
