/** A delivery that was saved to a file. */
export interface SavedDelivery {
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * Reads a saved delivery: an HTTP message (header lines, an empty line, and the body byte for byte), or a JSON object
 * `{ "headers": { … }, "body": "…" }`.
 *
 * @returns null if the file is neither.
 */
export function parseSavedDelivery(content: Buffer): SavedDelivery | null {
  return jsonDelivery(content) ?? httpDelivery(content);
}

function jsonDelivery(content: Buffer): SavedDelivery | null {
  if (content[0] !== 0x7b) return null;
  try {
    const { headers, body } = JSON.parse(content.toString()) as { headers?: unknown; body?: unknown };
    if (typeof headers !== 'object' || headers === null || typeof body !== 'string') return null;
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    return { headers: Object.fromEntries(texts), body: Buffer.from(body) };
  } catch {
    return null;
  }
}

function httpDelivery(content: Buffer): SavedDelivery | null {
  // One byte for each character, so that positions in the text are positions in the bytes.
  const text = content.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) return null;
  const headers: Record<string, string> = {};
  for (const line of text.slice(0, end.index).split(/\r?\n/)) {
    // The first line of a request is no header.
    if (/^[A-Z]+ \S+ HTTP\/[\d.]+$/.test(line)) continue;
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) return null;
    headers[name.toLowerCase()] = value;
  }
  return { headers, body: content.subarray(end.index + end[0].length) };
}
