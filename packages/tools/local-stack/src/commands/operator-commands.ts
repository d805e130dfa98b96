/** The operator commands by name. Importing a module runs its command on the database of DATABASE_URL. */
export const OPERATOR_COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  erasures: () => import('@deal-signals/capture/erasures/erasures-command'),
  'rebuild-texts': () => import('@deal-signals/capture/texts/rebuild-texts-command'),
  'reencrypt-secrets': () => import('@deal-signals/sending/secrets/reencrypt-secrets-command'),
};
