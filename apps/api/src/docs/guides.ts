/** A guide: `docs/<name>.md` in the repository, and `/api/v1/docs/guides/<name>` for readers. */
export interface GuideGroup {
  title: string;
  names: readonly string[];
}

/**
 * The guides in the order in which they are listed. `reference/alerts` is where the alerts lead. `scaling.md` and `performance.md`
 * are for people who have the repository, so they are not published here.
 */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  { title: 'Read', names: ['first-sync', 'client', 'client-python', 'loaders', 'agents', 'automations'] },
  { title: 'Webhooks', names: ['verifying-signatures', 'receiving-locally', 'deliveries'] },
  { title: 'Look up', names: ['semantics', 'erasure', 'reference/errors'] },
  { title: 'Manage', names: ['console'] },
  { title: 'Put data in', names: ['capture'] },
  { title: 'Operate', names: ['operations', 'reference/alerts', 'reference/settings'] },
];

/** The names of all guides. */
export const GUIDE_NAMES: readonly string[] = GUIDE_GROUPS.flatMap(({ names }) => names);
