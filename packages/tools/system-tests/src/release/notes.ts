/**
 * Returns the notes of a release: the section of CHANGELOG.md for the version.
 *
 * @param changelog the text of CHANGELOG.md.
 * @param version such as `1.0.0`.
 * @param base the prefix of links to files of this repository, where the notes are read.
 * @throws Error if the changelog has no such heading, or nothing below it.
 */
export function releaseNotes(changelog: string, version: string, base: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`[${version}] - `));
  const notes = section?.slice(section.indexOf('\n')).trim();
  if (!notes) throw new Error(`CHANGELOG.md has no notes for ${version}`);
  return `${notes.replaceAll(/\]\((?!\w+:)/g, `](${base}`)}\n`;
}
