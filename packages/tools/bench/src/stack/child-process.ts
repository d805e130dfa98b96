// Runs one module of the bench in a separate process; see `child.ts`.

const [module = '', options = '{}'] = process.argv.slice(2);
// It is no error if the parent has already ended: `disconnect` ends this process.
const tell = (message: object) => process.send?.(message, undefined, undefined, () => {});

const { serve } = (await import(module)) as {
  serve: (options: unknown) => Promise<(question: unknown) => unknown>;
};
const handle = await serve(JSON.parse(options));
process.on('message', (question) => {
  void Promise.resolve(question)
    .then(handle)
    .then(
      (reply) => tell({ reply }),
      (error: unknown) => tell({ error: (error as Error).stack ?? String(error) }),
    );
});
process.on('disconnect', () => process.exit());
tell({});
