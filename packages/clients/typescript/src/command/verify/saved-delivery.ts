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
  // Some editors write a byte order mark before the text, or leave an empty line there.
  const start = /^(?:\xef\xbb\xbf)?\s*/.exec(content.toString('latin1', 0, 1_000))?.[0].length ?? 0;
  const delivery = content.subarray(start);
  return jsonDelivery(delivery) ?? httpDelivery(delivery);
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

/** The characters that HTTP allows in the name of a header. */
const HEADER = /^([\w!#$%&'*+.^`|~-]+)[ \t]*:(.*)$/;
/** The first line of a request or a response, and the pseudo-headers that HTTP/2 has instead. */
const START_LINE = /^(?:\S+ \S+ HTTP\/[\d.]+|HTTP\/[\d.]+ .*|:[a-z]+:.*)$/;

function httpDelivery(content: Buffer): SavedDelivery | null {
  // One character per byte, so that positions in the text are positions in the bytes.
  const text = content.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) return null;
  const headers: Record<string, string> = {};
  // A line that begins with a space or tab continues the previous one.
  const lines = text.slice(0, end.index).replaceAll(/\r?\n[ \t]+/g, ' ');
  for (const line of lines.split(/\r?\n/)) {
    if (START_LINE.test(line)) continue;
    const [, name, value = ''] = HEADER.exec(line) ?? [];
    if (name === undefined) return null;
    const key = name.toLowerCase();
    headers[key] = Object.hasOwn(headers, key) ? `${headers[key]}, ${value.trim()}` : value.trim();
  }
  return { headers, body: content.subarray(end.index + end[0].length) };
}
