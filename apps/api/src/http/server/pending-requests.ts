import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Maximum number of pending requests of a connection. Few clients send a request before they have the previous response, and
 * proxies never do.
 */
export const MAX_PENDING_REQUESTS = 10;

/** The requests of each connection whose responses are not sent yet. */
export interface PendingRequests {
  /**
   * Handles a request once the responses to all earlier requests of its connection are sent. If the connection ends before that,
   * the request is not handled.
   *
   * By default, Node emits all requests of a connection as they arrive. When the connection ends, it closes only the response
   * that is being sent. Code that waits for another response to close, such as the release of a slot, would wait forever.
   */
  add(request: IncomingMessage, response: ServerResponse, handle: () => void): void;
  /** Returns the number of pending requests of the connection. */
  size(socket: Duplex): number;
  /** Returns the responses to the requests that are being handled, at most one per connection. */
  inProgress(): ServerResponse[];
  /**
   * Calls `next` once the responses to all completely received requests of the connection are sent, immediately if there are
   * none. A request that a protocol error interrupts gets no response of its own.
   */
  afterResponses(socket: Duplex, next: () => void): void;
}

interface PendingRequest {
  request: IncomingMessage;
  response: ServerResponse;
  handle: () => void;
}

/** Creates the list of pending requests of a server. */
export function createPendingRequests(): PendingRequests {
  // The list of a connection is kept until the connection closes. If this map changed with each request, V8 would copy its table
  // again and again, and old tables would keep requests in memory until the next major garbage collection.
  const pendingOn = new Map<Duplex, PendingRequest[]>();

  function listOf(socket: Duplex): PendingRequest[] {
    const known = pendingOn.get(socket);
    if (known !== undefined) return known;
    const pending: PendingRequest[] = [];
    pendingOn.set(socket, pending);
    socket.once('close', () => pendingOn.delete(socket));
    return pending;
  }

  function handleFirst(pending: PendingRequest[]): void {
    const [first] = pending;
    if (first === undefined) return;
    const { response, handle } = first;
    // Node assigns the connection to the next response, unless the previous one was the last or the connection has ended.
    if (response.socket === null || response.closed) return;
    response.once('close', () => {
      pending.shift();
      handleFirst(pending);
    });
    handle();
  }

  return {
    add(request, response, handle) {
      if (request.socket.destroyed) return;
      const pending = listOf(request.socket);
      pending.push({ request, response, handle });
      if (pending.length === 1) handleFirst(pending);
    },
    size: (socket) => pendingOn.get(socket)?.length ?? 0,
    inProgress: () =>
      [...pendingOn.values()].flatMap((pending) => pending.slice(0, 1).map(({ response }) => response)),
    afterResponses(socket, next) {
      const complete = (pendingOn.get(socket) ?? []).filter(({ request }) => request.complete);
      let left = complete.length;
      if (left === 0) next();
      for (const { response } of complete) {
        response.once('close', () => {
          left -= 1;
          if (left === 0) next();
        });
      }
    },
  };
}
