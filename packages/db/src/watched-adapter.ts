import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** The methods that fail when the database or a statement does. */
const WATCHED = new Set<unknown>(['queryRaw', 'executeRaw', 'startTransaction', 'commit']);

/**
 * Reports everything that fails between the client and PostgreSQL, whoever catches the error: a connection that is
 * unavailable, a statement, a commit. The client's own error events do not include transactions that could not begin.
 */
export function watchFailures(
  factory: SqlDriverAdapterFactory,
  onFailure: (error: unknown) => void,
): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => watch(await factory.connect(), onFailure),
  };
}

function watch<T extends object>(target: T, onFailure: (error: unknown) => void): T {
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
          onFailure(error);
          throw error;
        }
      };
    },
  });
}
