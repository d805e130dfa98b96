import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { oas31 } from 'zod-openapi';
import { type Asset, listScalar, madeAsset } from './assets.ts';
import { renderEvents } from './events.ts';
import { GUIDE_NAMES } from './guides.ts';
import { hasPage, shownPathOf } from './links.ts';
import { DOCS_PATH } from './places.ts';
import {
  type ProseSources,
  readGuides,
  renderChangelog,
  renderExample,
  renderExampleList,
  renderGuide,
  renderGuideList,
} from './prose-pages.ts';
import { documentForReference, referenceScript, renderReference } from './reference.ts';
import { listShownFiles, readText } from './repository.ts';
import { PAGE_STYLE, REFERENCE_STYLE } from './style.ts';

/** Something that is served below `/api/v1/docs`. */
export interface Resource {
  /** For the log and the metrics: the path with names for what differs. */
  route: string;
  /** As `Response.type` takes it. */
  type: string;
  /** Who may load what: the reference runs scripts from here, and all other pages run none. */
  kind: 'reference' | 'page' | 'asset';
  body: Buffer;
  /** The body in brotli, for what is large. */
  brotli?: Buffer;
}

/** All that is served below `/api/v1/docs`. */
export interface Site {
  /** All paths that exist, below `/api/v1/docs`. The front page is the empty path. */
  paths: readonly string[];
  /** Returns what is at a path, made once, and null if there is nothing. */
  find(path: string): Promise<Resource> | null;
}

const compress = promisify(brotliCompress);
/** Nearly as small as the highest level, in a fraction of the time. */
const BROTLI_QUALITY = 9;

/** Prepares the documentation. A page is rendered when it is requested for the first time. */
export async function openSite(document: oas31.OpenAPIObject): Promise<Site> {
  const scalar = await listScalar();
  const pageStyle = madeAsset('page', 'css', PAGE_STYLE);
  const referenceStyle = madeAsset('reference', 'css', REFERENCE_STYLE);
  const described = madeAsset('openapi', 'json', JSON.stringify(documentForReference(document)));
  const pathOf = (name: string) => `${DOCS_PATH}/assets/${name}`;
  const script = madeAsset('reference', 'js', referenceScript(pathOf(scalar.entry), pathOf(described.name)));
  const stylesheet = pathOf(pageStyle.name);
  const shownFiles = await listShownFiles();
  // Each guide has the titles of all of them next to it.
  let guides: ReturnType<typeof readGuides> | undefined;
  const sources: ProseSources = { stylesheet, shownFiles, guides: () => (guides ??= readGuides()) };

  const makers = new Map<string, () => Promise<Resource>>();
  const addPage = (path: string, route: string, render: () => string | Promise<string>) =>
    makers.set(path, async () => ({ route, type: 'html', kind: 'page', body: Buffer.from(await render()) }));
  makers.set('', () => {
    const body = Buffer.from(renderReference(pathOf(referenceStyle.name), pathOf(script.name)));
    return Promise.resolve({ route: '/docs', type: 'html', kind: 'reference', body });
  });
  addPage('/guides', '/docs/guides', () => renderGuideList(sources));
  for (const name of GUIDE_NAMES) {
    addPage(`/guides/${name}`, '/docs/guides/:name', () => renderGuide(name, sources));
  }
  addPage('/events', '/docs/events', () => renderEvents(document, stylesheet));
  addPage('/changelog', '/docs/changelog', () => renderChangelog(sources));
  addPage('/examples', '/docs/examples', () => renderExampleList(sources));
  for (const file of shownFiles) {
    if (hasPage(file))
      addPage(`/examples/${shownPathOf(file)}`, '/docs/examples/:file', () => renderExample(file, sources));
    makers.set(`/files/${shownPathOf(file)}`, async () => ({
      route: '/docs/files/:file',
      type: file.endsWith('.json') ? 'json' : 'text',
      kind: 'page',
      body: Buffer.from(await readText(file)),
    }));
  }
  for (const { name, asset } of [pageStyle, referenceStyle, described, script]) {
    makers.set(`/assets/${name}`, () => makeAsset(asset));
  }
  for (const [name, asset] of scalar.assets) makers.set(`/assets/${name}`, () => makeAsset(asset));

  const made = new Map<string, Promise<Resource>>();
  return {
    paths: Array.from(makers.keys()),
    find(path) {
      const make = makers.get(path);
      if (make === undefined) return null;
      const resource = made.get(path) ?? make();
      made.set(path, resource);
      // A file that could not be read may be readable later.
      resource.catch(() => made.delete(path));
      return resource;
    },
  };
}

async function makeAsset({ type, read }: Asset): Promise<Resource> {
  const body = await read();
  const brotli = await compress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  return { route: '/docs/assets/:file', type, kind: 'asset', body, brotli };
}
