import {
  connectionFromOptions,
  CONNECTION_HELP,
  CONNECTION_OPTIONS,
  EXIT_CODES,
  parse,
  type Subcommand,
} from '../command.ts';
import { Bridge } from './bridge.ts';
import { readLines } from './read-lines.ts';

const HELP = `usage: deal-signals mcp [options]

Serves the data of the workspace to an AI assistant with the Model Context Protocol, on standard input and output. Configure it
as the assistant's command; the assistant starts it. It forwards each message to the API, which defines the tools. It ends
when its input ends.

${CONNECTION_HELP}`;

/** `deal-signals mcp` */
export const mcp: Subcommand = {
  summary: 'serves the data to an AI assistant over standard input and output',
  help: HELP,
  async run(argv, { env, input, print, report, signal }) {
    const { values } = parse({ args: argv, options: CONNECTION_OPTIONS });
    const bridge = new Bridge(connectionFromOptions(values, env), { write: print, report, signal });
    const stream = input();
    const stop = (): void => void stream.destroy();
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const pending = new Set<Promise<void>>();
    try {
      for await (const line of readLines(stream)) {
        const handling = bridge.handle(line).finally(() => pending.delete(handling));
        pending.add(handling);
      }
    } catch (error) {
      // Reading fails once Ctrl-C has closed the input.
      if (!signal.aborted) throw error;
    }
    await Promise.all(pending);
    // An open input would keep the process alive after Ctrl-C.
    stream.destroy();
    return EXIT_CODES.done;
  },
};
