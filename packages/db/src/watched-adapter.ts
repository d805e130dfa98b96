import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** What fails when the database does, or when a statement is wrong. */
const WATCHED = new Set<unknown>(['queryRaw', 'executeRaw', 'startTransaction', 'commit']);

/**
 * Tells of everything that fails between the client and PostgreSQL, whoever catches it: a connection that is not to be
 * had, a statement, a commit. The client's own error events leave out transactions that could not begin.
 */
export function watchFailures(
  factory: SqlDriverAdapterFactory,
  onFailure: () => void,
): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => watch(await factory.connect(), onFailure),
  };
}

function watch<T extends object>(target: T, onFailure: () => void): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      if (!WATCHED.has(name)) return member.bind(object);
      return async (...parameters: unknown[]) => {
        try {
          const result: unknown = await Reflect.apply(member, object, parameters);
          return name === 'startTransaction' ? watch(result as object, onFailure) : result;
        } catch (error) {
          onFailure();
          throw error;
        }
      };
    },
  });
}
