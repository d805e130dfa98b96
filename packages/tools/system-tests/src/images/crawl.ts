/**
 * Fetches a page and everything on the same server that it links to: pages, stylesheets, scripts and the modules that those
 * import.
 *
 * @returns the response to each URL: its status and content type.
 */
export async function crawl(
  origin: string,
  start: string,
  isWanted: (pathname: string) => boolean,
): Promise<Map<string, { status: number; type: string }>> {
  const answers = new Map<string, { status: number; type: string }>();
  const waiting = [start];
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (answers.has(address)) continue;
    const response = await fetch(origin + address);
    const type = response.headers.get('content-type') ?? '';
    answers.set(address, { status: response.status, type });
    const text = await response.text();
    for (const link of linksOf(text, type)) {
      const { origin: its, pathname } = new URL(link, origin + address);
      if (its === origin && isWanted(pathname)) waiting.push(pathname);
    }
  }
  return answers;
}

function linksOf(text: string, type: string): string[] {
  if (type.startsWith('text/html'))
    return Array.from(text.matchAll(/\s(?:href|src)="([^"#]+)"/g), ([, link = '']) => link);
  if (type.includes('javascript'))
    return Array.from(text.matchAll(/["'`]((?:\.{1,2}\/|\/)[\w./-]+\.js)["'`]/g), ([, link = '']) => link);
  return [];
}
