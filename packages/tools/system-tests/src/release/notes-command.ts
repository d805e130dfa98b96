import { readFile, writeFile } from 'node:fs/promises';
import { releaseNotes } from './notes.ts';

// Writes the notes of a version to a file.

const [version = '', base = '', file = ''] = process.argv.slice(2);
const changelog = await readFile(new URL('../../../../../CHANGELOG.md', import.meta.url), 'utf8');
await writeFile(file, releaseNotes(changelog, version, base));
