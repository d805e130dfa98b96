import { setting } from '@deal-signals/runtime/settings';
import { secureUrl } from './secure-url.ts';

const GUIDE = '[OAuth for assistants](../agents-oauth.md)';

/** The settings that let hosted assistants sign in with an authorization server; part of the app's object. */
export const oauthVariables = {
  OAUTH_ISSUER: setting(secureUrl, {
    about: `the authorization server whose access tokens \`/mcp\` accepts beside API keys: see ${GUIDE}`,
    form: 'its `issuer`, an `https` URL',
    otherwise: 'API keys only',
  }),
  OAUTH_AUDIENCE: setting(
    secureUrl.refine((url) => url.endsWith('/mcp'), 'must end in /mcp'),
    {
      about: 'the `aud` of these tokens, which is the address of `/mcp` as assistants see it',
      form: 'an `https` URL that ends in `/mcp`',
      otherwise: 'required with `OAUTH_ISSUER`',
    },
  ),
};

/** Which access tokens are accepted. */
export interface OAuthSettings {
  issuer: string;
  /** The address of `/mcp`, which identifies it as a protected resource (RFC 8707, RFC 9728). */
  audience: string;
}

/**
 * Turns the environment variables into settings.
 *
 * @param refuse reports that a variable contradicts another one.
 * @returns null if OAuth is off.
 */
export function oauthSettings(
  environment: {
    OAUTH_ISSUER?: string | undefined;
    OAUTH_AUDIENCE?: string | undefined;
    SESSION_JWT_SECRET?: unknown;
    SESSION_JWT_AUDIENCE?: string | undefined;
  },
  refuse: (name: 'OAUTH_ISSUER' | 'OAUTH_AUDIENCE' | 'SESSION_JWT_AUDIENCE', message: string) => void,
): OAuthSettings | null {
  const { OAUTH_ISSUER: issuer, OAUTH_AUDIENCE: audience, SESSION_JWT_AUDIENCE: ofSessions } = environment;
  if (issuer === undefined && audience !== undefined)
    refuse('OAUTH_ISSUER', 'is required with OAUTH_AUDIENCE');
  if (issuer !== undefined && audience === undefined)
    refuse('OAUTH_AUDIENCE', 'is required with OAUTH_ISSUER');
  if (issuer === undefined || audience === undefined) return null;
  // Without a shared secret, one server may sign both kinds of tokens, and only the audience keeps an assistant from being an admin.
  if (ofSessions === audience || (environment.SESSION_JWT_SECRET === undefined && ofSessions === undefined))
    refuse('SESSION_JWT_AUDIENCE', 'is required with OAUTH_AUDIENCE, and must differ from it');
  return { issuer, audience };
}
