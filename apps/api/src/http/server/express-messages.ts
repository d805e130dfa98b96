import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The classes that a server makes its requests and responses of; Node's own where none is named. */
export type Messages = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * Returns classes of requests and responses that have the methods of an Express application from the start.
 *
 * Otherwise Express sets the prototype of each request and of each response. V8 then gives every one of them a hidden class
 * of its own, and can cache no access to a property: a quarter of the CPU time of a response. With these classes, an object
 * already has the prototype that Express sets, so setting it changes nothing.
 */
export function expressMessages(app: Express): Messages {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  app.request = putBelow(ExpressRequest.prototype, app.request);
  app.response = putBelow(ExpressResponse.prototype, app.response);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse as typeof ServerResponse };
}

/** Lets a prototype inherit from another one. */
function putBelow<Parent extends object>(prototype: object, parent: Parent): Parent {
  return Object.setPrototypeOf(prototype, parent) as Parent;
}
