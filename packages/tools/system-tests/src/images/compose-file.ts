import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@deal-signals/local-stack/files/local-folder';
import { parse } from 'yaml';

export type ServiceName = 'postgres' | 'redis' | 'migrate' | 'api' | 'worker';

/** A service of `docker/compose.yaml`, before its variables are replaced. */
export interface Service {
  /** The image of a service without `build`. */
  image?: string;
  build?: { target: string };
  user?: string;
  environment: Record<string, string | number>;
  command?: string[];
  volumes?: string[];
  tmpfs: string[];
  mem_limit: string;
  shm_size?: string;
  pids_limit: number;
  cap_drop: string[];
  security_opt: string[];
  read_only: boolean;
  restart: string;
  ports?: { target: number; published: string; host_ip: string }[];
  healthcheck?: { test: string[] };
  stop_grace_period?: string;
}

/** The services of `docker/compose.yaml`. */
export function composeServices(): Record<ServiceName, Service> {
  const text = readFileSync(path.join(REPOSITORY_ROOT, 'docker/compose.yaml'), 'utf8');
  return (parse(text, { merge: true }) as { services: Record<ServiceName, Service> }).services;
}

/**
 * Replaces variables as Compose does: `${NAME:-default}`, `${NAME:?message}` and `${NAME:+alternative}`, and
 * `${NAME?message}`, which may be empty.
 *
 * @throws Error for a required variable that is not set.
 */
export function interpolate(text: string, variables: Record<string, string>): string {
  return text.replaceAll(
    /\$\{(\w+)(:?)([-?+])([^}]*)\}/g,
    (_whole, name: string, colon: string, operator: string, word: string) => {
      const value = variables[name];
      const isMissing = value === undefined || (value === '' && colon === ':');
      if (operator === '+') return isMissing ? '' : word;
      if (isMissing && operator === '?') throw new Error(`${name}: ${word}`);
      return isMissing ? word : value;
    },
  );
}

/** Returns the environment of a container when these variables are set before `docker compose up`. */
export function environmentOf(service: Service, variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(service.environment).map(([name, value]) => [name, interpolate(String(value), variables)]),
  );
}
