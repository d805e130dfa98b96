// Runs one module of the bench in a child process. See `child.ts`.

const [module = '', options = '{}'] = process.argv.slice(2);
// A parent that ended before the message is not an error here: `disconnect` ends this process.
const send = (message: object) => process.send?.(message, undefined, undefined, () => {});

const { serve } = (await import(module)) as {
  serve: (options: unknown) => Promise<(request: unknown) => unknown>;
};
const handle = await serve(JSON.parse(options));
process.on('message', (request) => {
  void Promise.resolve(request)
    .then(handle)
    .then(
      (reply) => send({ reply }),
      (error: unknown) => send({ error: (error as Error).stack ?? String(error) }),
    );
});
process.on('disconnect', () => process.exit());
send({});
