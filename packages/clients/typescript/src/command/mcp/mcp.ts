import {
  accessOf,
  CONNECTION_HELP,
  CONNECTION_OPTIONS,
  EXIT_CODES,
  parse,
  type Subcommand,
} from '../command.ts';
import { Bridge } from './bridge.ts';
import { readLines } from './read-lines.ts';

const HELP = `usage: deal-signals mcp [options]

Serves the data of the workspace to an AI assistant, by the Model Context Protocol on standard input and output. Assistants start
it themselves; configure it as their command. It passes each message on to the API, which has the tools. Ends with its input.

${CONNECTION_HELP}`;

/** `deal-signals mcp` */
export const mcp: Subcommand = {
  summary: 'serves the data to an AI assistant, over standard input and output',
  help: HELP,
  async run(argv, { env, input, print, report, signal }) {
    const { values } = parse({ args: argv, options: CONNECTION_OPTIONS });
    const bridge = new Bridge(accessOf(values, env), { write: print, report, signal });
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
      // Reading from an input that Ctrl-C has closed fails.
      if (!signal.aborted) throw error;
    }
    await Promise.all(pending);
    // An open input would keep the process alive after Ctrl-C.
    stream.destroy();
    return EXIT_CODES.done;
  },
};
