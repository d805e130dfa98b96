/** How large the large things are, and what they are compared with. */
export interface GrowthSizes {
  rounds: number;
  events: number;
  fewEvents: number;
  pending: number;
  fewPending: number;
  /** Workspaces that the pending deliveries belong to. */
  workspaces: number;
  claims: number;
  fewClaims: number;
  requests: number;
  fewRequests: number;
  deliveries: number;
  fewDeliveries: number;
  lines: number;
  fewLines: number;
  keys: number;
  endpoints: number;
  /** The run ends with an error after this time. */
  minutes: number;
}

/** The options of the sizes, with their defaults. */
export const GROWTH_NUMBERS = {
  'growth-rounds': { default: 7, means: 'how often the two sizes take turns' },
  'growth-events': { default: 10_000_000, means: 'engagement events of a workspace' },
  'growth-few-events': { default: 10_000, means: 'those of the other' },
  'growth-pending': { default: 1_000_000, means: 'pending deliveries' },
  'growth-few-pending': { default: 1_000, means: 'those of the other' },
  'growth-workspaces': { default: 10_000, means: 'workspaces with pending deliveries' },
  'growth-claims': { default: 1_000, means: 'claims of a workspace that are held' },
  'growth-few-claims': { default: 50, means: 'those of the other' },
  'growth-requests': { default: 100_000, means: 'requests before the memory of the API is read' },
  'growth-few-requests': { default: 10_000, means: 'requests before it is read first' },
  'growth-deliveries': { default: 100_000, means: 'deliveries before the memory of the worker is read' },
  'growth-few-deliveries': { default: 10_000, means: 'deliveries before it is read first' },
  'growth-lines': { default: 1_000_000, means: 'lines of a captured file' },
  'growth-few-lines': { default: 100_000, means: 'those of the other' },
  'growth-keys': { default: 1_000, means: 'API keys that take turns' },
  'growth-endpoints': { default: 50, means: 'endpoints that an event is for' },
  'growth-minutes': { default: 90, means: 'minutes after which the run ends' },
} as const;

/** Reads the sizes by the function that reads an option. */
export function growthSizes(number: (name: keyof typeof GROWTH_NUMBERS) => number): GrowthSizes {
  return {
    rounds: number('growth-rounds'),
    events: number('growth-events'),
    fewEvents: number('growth-few-events'),
    pending: number('growth-pending'),
    fewPending: number('growth-few-pending'),
    workspaces: number('growth-workspaces'),
    claims: number('growth-claims'),
    fewClaims: number('growth-few-claims'),
    requests: number('growth-requests'),
    fewRequests: number('growth-few-requests'),
    deliveries: number('growth-deliveries'),
    fewDeliveries: number('growth-few-deliveries'),
    lines: number('growth-lines'),
    fewLines: number('growth-few-lines'),
    keys: number('growth-keys'),
    endpoints: number('growth-endpoints'),
    minutes: number('growth-minutes'),
  };
}
