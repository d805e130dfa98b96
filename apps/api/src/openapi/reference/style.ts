/** The stylesheet of the reference page. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8885; --soft: #8882; --accent: #2563eb; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line); font-size: .875rem; }
nav h2 { font-size: .75rem; text-transform: uppercase; letter-spacing: .05em; margin: 1.25rem 0 .25rem; opacity: .7; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .125rem 0; color: inherit; text-decoration: none; }
nav a:hover, nav a:focus { text-decoration: underline; }
main { padding: 1rem 2rem 4rem; max-width: 62rem; }
a { color: var(--accent); }
h1 { margin-top: .5rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { margin-top: 2.5rem; }
h4 { margin: 1.25rem 0 .25rem; }
p { margin: .5rem 0; max-width: 46rem; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
code { background: var(--soft); padding: .05em .3em; border-radius: .25em; overflow-wrap: anywhere; }
pre { background: var(--soft); padding: .75rem 1rem; border-radius: .375rem; overflow-x: auto; max-height: 30rem; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); }
td p { margin: 0 0 .25rem; }
.method { font-weight: 700; color: var(--accent); }
.soft { opacity: .75; }
summary { cursor: pointer; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`;
