import type { RequestHandler } from 'express';
import { TOKEN_SCOPES } from '../auth/access-token.ts';
import type { OAuthSettings } from '../auth/oauth-settings.ts';
import { DOCS_PATH } from '../docs/router.ts';
import type { ApiError } from '../http/errors.ts';
import { addLogFields } from '../http/request-log.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const PATH = `${WELL_KNOWN}/mcp`;
/** The scope that an assistant asks its user for: all tools. */
const PRESET_SCOPE = 'read';

/**
 * Serves the metadata from which an assistant learns where its user can sign in (RFC 9728): at its path here, and at the one that
 * follows from the address of `/mcp`, which differs if a proxy serves the API below a path.
 */
export function serveResourceMetadata({ issuer, audience }: OAuthSettings): RequestHandler {
  const metadata = {
    resource: audience,
    authorization_servers: [issuer],
    scopes_supported: TOKEN_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Deal Signals',
    resource_documentation: `${audience.slice(0, -'/mcp'.length)}${DOCS_PATH}/guides/agents-oauth`,
  };
  const paths = new Set([PATH, new URL(metadataUrl(audience)).pathname]);
  return (request, response, next) => {
    if (!paths.has(request.path) || !['GET', 'HEAD'].includes(request.method)) {
      next();
      return;
    }
    addLogFields(response, { route: PATH });
    response.set('Cache-Control', 'public, max-age=3600').json(metadata);
  };
}

/**
 * Returns the headers of an error of `/mcp`. Where a credential is missing, wrong or not sufficient, they say where to get one.
 *
 * @param oauth null if there is nothing but API keys.
 */
export function errorHeaders(
  { status, headers }: ApiError,
  oauth: OAuthSettings | null,
): Readonly<Record<string, string>> {
  const challenge = headers['WWW-Authenticate'];
  if (oauth === null || challenge === undefined) return headers;
  const parts = [
    ...(challenge === 'Bearer' ? [] : [challenge.slice('Bearer '.length)]),
    `resource_metadata="${metadataUrl(oauth.audience)}"`,
    ...(status === 401 ? [`scope="${PRESET_SCOPE}"`] : []),
  ];
  return { ...headers, 'WWW-Authenticate': `Bearer ${parts.join(', ')}` };
}

function metadataUrl(audience: string): string {
  const { origin, pathname } = new URL(audience);
  return `${origin}${WELL_KNOWN}${pathname}`;
}
