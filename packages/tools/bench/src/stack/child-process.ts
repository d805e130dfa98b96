// Runs one module of the bench in a process of its own: see `child.ts`.

const [module = '', options = '{}'] = process.argv.slice(2);
// A parent that has ended in the meantime is no error here: `disconnect` ends this process.
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
