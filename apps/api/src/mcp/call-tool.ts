import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { requireScope } from '../auth/scopes.ts';
import { toApiError } from '../http/errors.ts';
import { readData } from '../http/replica-reads.ts';
import type { Incoming, RequestGuard } from '../http/request-guard.ts';
import { addLogFields } from '../http/request-log.ts';
import type { Assistant } from '../http/route.ts';
import { errorText, isForModel } from './errors.ts';
import { parseArguments, type Tool, type ToolOutput } from './tool.ts';
import { NOTICE, TOOLS } from './tools.ts';

const TOOL_BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

/**
 * Runs a tool like a route for keys: with its scope, and in a slot.
 *
 * @returns the result, or an error that the model can act on.
 * @throws ProtocolError if there is no such tool; every other error that the model cannot act on.
 */
export async function callTool(
  name: string,
  given: object,
  { companyId, key, slot, hasToken }: Assistant,
  incoming: Incoming,
  guard: RequestGuard,
): Promise<CallToolResult> {
  const { response } = incoming;
  const tool = TOOL_BY_NAME.get(name);
  if (tool === undefined) {
    addLogFields(response, { errorCode: 'INVALID_REQUEST' });
    const names = [...TOOL_BY_NAME.keys()].join(', ');
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no such tool; the tools are ${names}`);
  }
  addLogFields(response, { tool: tool.name });
  try {
    requireScope(key.scopes, tool.scope);
    const input = parseArguments(tool.input, given);
    return await slot.read(async () => {
      slot.keepUntilSent({ staysActive: false });
      return resultOf(
        await readData(guard.context, (reading) => tool.run(input, { companyId, key }, reading)),
      );
    });
  } catch (thrown) {
    const error = toApiError(thrown);
    // An assistant that may ask its user for more scopes learns of it by the status.
    if (!isForModel(error) || (hasToken && error.headers['WWW-Authenticate'] !== undefined)) throw error;
    await guard.delayRefusal(error, incoming);
    addLogFields(response, { errorCode: error.code });
    return { isError: true, content: [{ type: 'text', text: errorText(error) }] };
  }
}

/** Returns a result in both forms of the protocol: structured for programs, and as text, which every client shows to its model. */
function resultOf(output: ToolOutput): CallToolResult {
  const structuredContent = { notice: NOTICE, asOf: new Date().toISOString(), ...output };
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}
