import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * How many a connection may have. Hardly any client sends a request before it has the response to the last one, and a proxy
 * never does.
 */
export const MAX_PENDING_REQUESTS = 10;

/** The requests of each connection whose responses have not been sent. */
export interface PendingRequests {
  /**
   * Handles a request when the responses to all earlier ones of its connection have been sent. If the connection ends before
   * that, the request is not handled.
   *
   * Node would hand over all requests of a connection as they arrive. When the connection ends, it closes only the response
   * that is being sent. What waits for the others to be closed, such as the place of a request, would wait for ever.
   */
  add(request: IncomingMessage, response: ServerResponse, handle: () => void): void;
  /** How many requests of the connection are pending. */
  size(socket: Duplex): number;
  /** The responses to the requests that are being handled: one of each connection at most. */
  inProgress(): ServerResponse[];
  /**
   * Calls `next` when the connection has sent the responses to all requests that have arrived completely, at once if there
   * are none. A request that is cut short by an error of the protocol gets no response of its own.
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
  // The list of a connection stays for as long as the connection: a change of this map for each request would make V8 copy
  // its table again and again, and each old table keeps requests in memory until the next major garbage collection.
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
    // Node gives the connection to the next response, unless the one before was the last or the connection has ended.
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
