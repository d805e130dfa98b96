import { createReceive, MAX_BODY_BYTES, type ReceiverOptions } from './receive.ts';
import type { WebhookHeaders } from './verify-webhook.ts';

/** The methods of a Fastify server that the plugin uses, so that this package does not depend on its types. */
interface FastifyServer {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Buffer) => Promise<Buffer>,
  ): unknown;
  post(
    path: string,
    handler: (
      request: { body: unknown; headers: WebhookHeaders },
      reply: { code(status: number): { send(): unknown } },
    ) => Promise<unknown>,
  ): unknown;
}

/** How deliveries are handled, and the path that receives them. */
export interface FastifyReceiverOptions extends ReceiverOptions {
  path: string;
}

/**
 * A plugin for Fastify: `app.register(fastifyWebhooks, { path: '/webhooks', secrets, onEvent })`.
 *
 * It reads the raw body on its own path. Other routes of the server keep their parsers, because a plugin has its own scope.
 */
export async function fastifyWebhooks(server: unknown, options: FastifyReceiverOptions): Promise<void> {
  const scope = server as FastifyServer;
  const receive = createReceive(options);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body) =>
    Promise.resolve(body),
  );
  scope.post(options.path, async (request, reply) =>
    // Fastify passes no body for a request without one.
    reply.code(await receive((request.body ?? Buffer.alloc(0)) as Buffer, request.headers)).send(),
  );
}
