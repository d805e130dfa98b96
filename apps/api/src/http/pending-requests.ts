import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The requests of each connection whose responses have not been sent. */
export interface PendingRequests {
  add(request: IncomingMessage, response: ServerResponse): void;
  /** How many requests of the connection are pending. */
  size(socket: Duplex): number;
  /**
   * Calls `next` when the connection has sent the responses to all requests that have arrived completely, at once if there
   * are none. A request that is cut short by an error of the protocol gets no response of its own.
   */
  afterResponses(socket: Duplex, next: () => void): void;
}

/** Creates the list of pending requests of a server. */
export function createPendingRequests(): PendingRequests {
  const pendingOn = new WeakMap<Duplex, Map<ServerResponse, IncomingMessage>>();
  return {
    add(request, response) {
      const pending = pendingOn.get(request.socket) ?? new Map<ServerResponse, IncomingMessage>();
      pendingOn.set(request.socket, pending.set(response, request));
      response.once('close', () => pending.delete(response));
    },
    size: (socket) => pendingOn.get(socket)?.size ?? 0,
    afterResponses(socket, next) {
      const complete = [...(pendingOn.get(socket) ?? [])].filter(([, request]) => request.complete);
      let left = complete.length;
      if (left === 0) next();
      for (const [response] of complete) {
        response.once('close', () => {
          left -= 1;
          if (left === 0) next();
        });
      }
    },
  };
}
