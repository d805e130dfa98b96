const POLICY = /^"([a-z]+)";q=(\d+);w=60$/;
const STATE = /^"([a-z]+)";r=(\d+);t=(\d+)$/;

/** A limit in the headers of a response. */
export interface LimitLeft {
  name: string;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** Reads the headers `RateLimit-Policy` and `RateLimit` of a response; throws if they do not list the same limits. */
export function limitsLeft(headers: Readonly<Record<string, string>>): LimitLeft[] {
  const items = (name: string) => headers[name]?.split(', ') ?? [];
  const policies = items('ratelimit-policy').map((item) => POLICY.exec(item) ?? []);
  const states = items('ratelimit').map((item) => STATE.exec(item) ?? []);
  return Array.from({ length: Math.max(policies.length, states.length) }, (_, index) => {
    const [, policy, limit] = policies[index] ?? [];
    const [, state, remaining, resetSeconds] = states[index] ?? [];
    if (policy === undefined || policy !== state) throw new Error(`no limits: ${JSON.stringify(headers)}`);
    return {
      name: policy,
      limit: Number(limit),
      remaining: Number(remaining),
      resetSeconds: Number(resetSeconds),
    };
  });
}

/** Returns the same as a text, such as `user 1 of 2, workspace 98 of 100`. */
export function showLimits(headers: Readonly<Record<string, string>>): string {
  return limitsLeft(headers)
    .map(({ name, remaining, limit }) => `${name} ${remaining} of ${limit}`)
    .join(', ');
}
