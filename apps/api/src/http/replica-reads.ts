import { ApiError } from './errors.ts';
import type { Context } from './route.ts';

/**
 * Runs a read of a workspace's data on a replica, if there is one.
 *
 * An object that a replica does not have may not have been replicated yet, for example the object that a webhook has announced.
 * So the primary is read before the caller gets a 404.
 *
 * @param read must not write, and may run twice.
 */
export function readData<T>(context: Context, read: (context: Context) => Promise<T>): Promise<T> {
  const { replicas } = context;
  if (replicas === null) return read(context);
  return replicas.read((db) => read({ ...context, db }), isNotFound);
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'NOT_FOUND';
}
