/**
 * Parses an absolute URL. Returns null for any other text.
 *
 * `URL.canParse` cannot be used for text beyond ASCII. Once its caller is compiled, Node 20 and 22 pass it Latin-1 bytes as if
 * they were UTF-8, and it rejects `https://bücher.example/` (in 20.20.2 after 5,050 calls).
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
