/** The characters of words, for a class of a regular expression. All others separate words. */
export const WORD = '\\p{L}\\p{M}\\p{N}';

/** Combining diacritical marks: accents that are characters of their own. */
export const ACCENTS = '\u0300-\u036f';
const accents = new RegExp(`[${ACCENTS}]+`, 'g');

/** A longer word is no part of a name. The bound also limits how many combining marks `normalize` sorts, which is quadratic. */
const MAX_WORD_LENGTH = 256;

/**
 * Returns a word in lower case and without accents, so that all its spellings are equal.
 *
 * @returns null if the word is too long to be part of a name.
 */
export function foldWord(word: string): string | null {
  const bare = word.replace(accents, '');
  if (bare.length > MAX_WORD_LENGTH) return null;
  const composed = bare.normalize('NFD').replace(accents, '').normalize('NFC');
  // Only the lower case of a sigma depends on its place in the word.
  return composed.toLowerCase().replaceAll('ς', 'σ');
}

/** How `foldWord` treats single characters. */
interface Foldings {
  /** The other characters that fold to a character. */
  variants: ReadonlyMap<string, readonly string[]>;
  /** Characters that combine with the one before them, or that fold to several. */
  irregular: ReadonlySet<string>;
}

/** The end of the planes of Unicode that have characters with an upper case or a decomposition. */
const LAST_FOLDED = 0x2_ffff;

let foldings: Foldings | undefined;

/** Returns how single characters fold. The first call takes about 50 ms. */
export function characterFoldings(): Foldings {
  return (foldings ??= findFoldings());
}

function findFoldings(): Foldings {
  const variants = new Map<string, string[]>();
  const irregular = new Set<string>();
  for (let code = 1; code <= LAST_FOLDED; code += 1) {
    const character = String.fromCodePoint(code);
    const decomposed = character.normalize('NFD');
    if (decomposed === character && character.toLowerCase() === character && character !== 'ς') continue;
    const folded = foldWord(character)!;
    if (folded === '') continue;
    if (Array.from(folded).length > 1) irregular.add(character);
    else if (folded !== character) {
      const others = variants.get(folded);
      if (others === undefined) variants.set(folded, [character]);
      else others.push(character);
    }
    for (const part of Array.from(decomposed.replace(accents, '')).slice(1)) irregular.add(part);
  }
  return { variants, irregular };
}
