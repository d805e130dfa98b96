import { ApiError } from './errors.ts';
import type { Context } from './route.ts';

/**
 * Runs a read of a workspace's data on a replica, if there are any.
 *
 * What a replica does not find may just not have arrived there, for example the object that a webhook has announced, so the
 * primary is asked before the caller gets a 404.
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
