/** What all pages share: the colours and the header. The content of the reference brings its own styles. */
const SHELL = `
:root { color-scheme: light dark; --text: #1a1d23; --soft: #5a6270; --line: #dde1e7; --back: #ffffff; --raised: #f5f7f9;
  --link: #0b5cad; --mark: #e8f1fb; --keyword: #a3238e; --string: #0a6640; --number: #9a4a00; --name: #0b5cad; --comment: #5f6773;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; --header: 48px; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e7ec; --soft: #a0a8b5; --line: #30353e; --back: #121417; --raised: #1b1f24;
    --link: #79b8ff; --mark: #1c2b3d; --keyword: #f097dd; --string: #7fd6a8; --number: #f2b27a; --name: #79b8ff; --comment: #98a1ae; } }
html { scroll-padding-top: calc(var(--header) + 16px); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--back); color: var(--text);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }

/* Scalar leaves room for it by this variable. */
:root { --scalar-custom-header-height: var(--header); }
.site-header, .site-header * { box-sizing: border-box; }
.site-header { position: sticky; top: 0; z-index: 10; height: var(--header); display: flex; align-items: center; gap: 24px;
  padding: 0 20px; background: var(--back); border-bottom: 1px solid var(--line); font: 14px/1.4 system-ui, sans-serif; }
.site-header a { color: var(--soft); text-decoration: none; white-space: nowrap; }
.site-header a:hover, .site-header a[aria-current] { color: var(--text); }
.site-header a[aria-current] { font-weight: 600; box-shadow: 0 2px 0 var(--link); }
.site-header .site-name { color: var(--text); font-weight: 700; font-size: 15px; }
.site-header nav { display: flex; gap: 18px; overflow-x: auto; height: 100%; align-items: center; scrollbar-width: none; }
.site-header nav a { padding: 13px 0; }

@media (max-width: 760px) {
  .site-header { gap: 16px; padding: 0 16px; }
  .site-header nav { gap: 15px; }
  .site-header .site-name { display: none; }
}
`;

/** The stylesheet of the reference. Scalar's soft texts and colours are too pale to be read easily, and its folds too small to hit. */
export const REFERENCE_STYLE = `${SHELL}
body.light-mode, body.dark-mode { --scalar-color-2: var(--soft); --scalar-color-3: var(--soft); }
body.light-mode { --scalar-color-blue: var(--name); --scalar-color-green: var(--string); --scalar-color-orange: var(--number);
  --scalar-color-purple: var(--keyword); }
li[data-sidebar-id] button[aria-expanded] { min-width: 24px; min-height: 24px; }
`;

/** The stylesheet of all other pages. */
export const PAGE_STYLE = `${SHELL}
main, .columns, .columns * { box-sizing: border-box; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; z-index: 20; padding: 8px; background: var(--back); }
.columns { display: grid; grid-template-columns: 256px minmax(0, 1fr) 220px; grid-template-rows: auto 1fr; max-width: 1400px; margin: 0 auto; }
.sidebar, .contents { position: sticky; top: var(--header); align-self: start; max-height: calc(100vh - var(--header));
  overflow-y: auto; padding: 28px 20px; font-size: 14px; line-height: 1.45; }
.contents { grid-column: 3; grid-row: 1 / span 2; }
.sidebar { grid-column: 1; grid-row: 1 / span 2; }
.folded { display: none; padding: 10px 16px; border-bottom: 1px solid var(--line); font-size: 15px; }
.folded nav { padding-top: 8px; }
.folded summary { cursor: pointer; color: var(--soft); }
nav h2 { margin: 18px 0 6px; font-size: 12px; font-weight: 600; color: var(--soft); letter-spacing: 0.02em; }
nav h2:first-child { margin-top: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: 4px 8px; border-radius: 5px; color: var(--text); text-decoration: none; overflow-wrap: anywhere; }
nav li.nested a { padding-left: 20px; color: var(--soft); }
nav li a:hover { background: var(--raised); }
nav li a[aria-current] { background: var(--mark); color: var(--link); font-weight: 600; }

main { grid-column: 2; grid-row: 2; min-width: 0; max-width: 820px; padding: 28px 32px 96px; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 32px; margin: 8px 0 20px; }
main h2 { font-size: 23px; margin: 48px 0 14px; padding-top: 4px; }
main h3 { font-size: 18px; margin: 32px 0 10px; }
main a { color: var(--link); text-underline-offset: 2px; }
/* An underline would hide the underscores. */
main a:has(> code:only-child) { text-decoration: none; }
main a.anchor { margin-left: 8px; color: var(--soft); text-decoration: none; opacity: 0; }
:hover > a.anchor, a.anchor:focus { opacity: 1; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
p, ul, ol { margin: 0 0 14px; }
li { margin: 4px 0; }
.soft { color: var(--soft); }
code { font-family: var(--mono); font-size: 0.875em; }
:not(pre) > code { padding: 1px 5px; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; overflow-wrap: anywhere; }
pre { margin: 0 0 18px; padding: 14px 16px; overflow-x: auto; background: var(--raised); border: 1px solid var(--line);
  border-radius: 8px; line-height: 1.5; tab-size: 4; }
.scroll { margin: 0 0 20px; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; line-height: 1.5; }
th, td { padding: 8px 12px; text-align: left; vertical-align: top; border-top: 1px solid var(--line); min-width: 90px; }
thead th { border-top: 0; background: var(--raised); white-space: nowrap; }
td code { white-space: nowrap; }
.fields td code { white-space: normal; overflow-wrap: anywhere; }
.fields td:first-child { width: 38%; }
.fields p { margin: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 14px; list-style: none; padding: 0; }
.cards li { margin: 0; }
.cards a { display: block; height: 100%; padding: 14px 16px; border: 1px solid var(--line); border-radius: 8px; color: var(--text); text-decoration: none; }
.cards a:hover { border-color: var(--link); }
.cards strong { display: block; color: var(--link); }
.cards span { font-size: 14px; color: var(--soft); }

.hljs-keyword, .hljs-built_in, .hljs-literal, .hljs-type { color: var(--keyword); }
.hljs-string, .hljs-regexp { color: var(--string); }
.hljs-number, .hljs-symbol { color: var(--number); }
.hljs-title, .hljs-attr, .hljs-attribute, .hljs-property { color: var(--name); }
.hljs-comment, .hljs-meta { color: var(--comment); }

@media (max-width: 1150px) {
  .columns { grid-template-columns: 256px minmax(0, 1fr); }
  .contents { display: none; }
  .folded-contents { display: block; grid-column: 2; margin: 16px 32px 0; padding-left: 0; }
}
@media (max-width: 760px) {
  .columns { display: block; }
  .sidebar { display: none; }
  .folded { display: block; margin: 0; padding-left: 16px; }
  main { padding: 16px 16px 64px; }
  h1 { font-size: 27px; }
  .fields thead { display: none; }
  .fields tr { display: block; padding: 10px 12px; border-top: 1px solid var(--line); }
  .fields tbody tr:first-child { border-top: 0; }
  .fields td, .fields td:first-child { display: block; width: auto; padding: 1px 0; border: 0; }
}
`;
