import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Pool } from 'pg';
import { replay, type Statement } from '../data/statements.ts';

// The floor of the reads: node:http and prepared statements sent by `pg` alone, in a process of its own. It is given the
// statements for each path, and checks neither keys nor limits. Behind the router of Express, it shows the cost of Express.

/** The response to a path. */
export interface FloorResponse {
  path: string;
  statements: Statement[];
  /**
   * The text before and after the text that the statement returns. Without it, the body is the number of rows of each
   * statement.
   */
  around?: [before: string, after: string];
}

export async function serve(options: { databaseUrl: string; poolSize: number; hasExpress: boolean }) {
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: options.poolSize,
    options: '-c timezone=UTC',
  });
  const responses = new Map<string, FloorResponse>();

  async function bodyOf({ statements, around }: FloorResponse): Promise<string> {
    const client = await pool.connect();
    try {
      const results = await replay(client, statements);
      if (around === undefined) return JSON.stringify({ rows: results.map((rows) => rows.length) });
      return around[0] + String(results[0]?.[0]?.[0]) + around[1];
    } finally {
      client.release();
    }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const bytes = Buffer.from(await bodyOf(responses.get(request.url ?? '')!));
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length })
        .end(bytes);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse) => void respond(request, response);
  const routes = ['/api/v1/calls/:id', '/api/v1/decision-rooms/:id', '/api/v1/status'];
  const server = createServer(options.hasExpress ? express().get(routes, onRequest) : onRequest);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return (known: FloorResponse[]) => {
    for (const response of known) responses.set(response.path, response);
    return { origin: `http://127.0.0.1:${port}` };
  };
}
