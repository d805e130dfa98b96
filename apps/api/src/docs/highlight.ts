import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml, Html } from './html.ts';

/** Under the names after the fences in our Markdown files, which are the extensions of files as well. */
const LANGUAGES = {
  sh: bash,
  go,
  http,
  json,
  py: python,
  python,
  sql,
  js: typescript,
  ts: typescript,
  mts: typescript,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Renders code as HTML. A language that is unknown, such as `text`, is shown without colours. */
export function highlight(code: string, language: string): Html {
  const text = Object.hasOwn(LANGUAGES, language)
    ? hljs.highlight(code, { language }).value
    : escapeHtml(code);
  // Long lines scroll, and only what can have the focus can be scrolled by the keyboard.
  return new Html(`<pre tabindex="0"><code>${text}</code></pre>`);
}
