import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Sets the headers that Helmet sets by default. They are the same for every response, so Helmet is asked once, and not by each
 * request for each of its headers.
 */
export function securityHeaders(): RequestHandler {
  const headers: [name: string, value: string][] = [];
  const example = new ServerResponse(new IncomingMessage(new Socket()));
  example.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return example;
  };
  helmet()(example.req, example, () => {});
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
