import { createHash } from 'node:crypto';
import { ERASED, type Matcher } from './matching/matcher.ts';

/** The content of a field, which decides how it is erased. */
export type FieldKind =
  /** Text that a person wrote. */
  | 'text'
  /** The same, where null is not allowed. */
  | 'required'
  /** An address. */
  | 'email'
  /** The people of a call. */
  | 'participants'
  /** The summary of a call. */
  | 'summary'
  /** A JSON object of any form. */
  | 'details'
  /** What something is called elsewhere, or of what kind it is. */
  | 'label'
  /** What a record is known by where it came from. */
  | 'key';

/** The fields of an object that can name people, with what they hold. */
export type Fields = Readonly<Record<string, FieldKind>>;

/** Erases values. Returns them unchanged if they do not name the erased person. */
export type Eraser = (kind: FieldKind, value: unknown) => unknown;

/** What each kind of object can say about people. Its columns are called like its fields, in snake case. */
export const FIELDS = {
  room: { name: 'required', slug: 'text', primaryContactEmail: 'email' },
  call: {
    title: 'text',
    prospectName: 'text',
    disqualifiedReason: 'text',
    participants: 'participants',
    summary: 'summary',
    talkTime: 'label',
  },
  document: { title: 'required', category: 'label', libraryAssetId: 'label' },
  actionItem: { title: 'required' },
  message: { key: 'key', text: 'text' },
  esign: { subject: 'text', vendor: 'label', envelopeId: 'label' },
  event: { key: 'key', metadata: 'details', demoTitle: 'text', buyerSpaceName: 'text' },
  view: { key: 'key', demoTitle: 'text', buyerSpaceName: 'text' },
} as const satisfies Record<string, Fields>;

/** Erases one person: blanks what a matcher finds, and the people who have the address. JSON is erased value by value. */
export function personEraser(email: string | null, matcher: Matcher | null): Eraser {
  const text = (value: string): string => matcher?.replace(value) ?? value;
  const isTheirs = (value: unknown): boolean =>
    email !== null && typeof value === 'string' && value.toLowerCase() === email;
  const json = (value: unknown, keyText: (key: string) => string): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => json(item, keyText));
    const address = 'email' in value && typeof value.email === 'string' ? value.email : null;
    const theirs = isTheirs(address)
      ? { email: null, name: null, ...('role' in value && { role: null }) }
      : {};
    return Object.fromEntries(
      Object.entries({ ...value, ...theirs }).map(([key, item]) => {
        // A different address means a different person, so the name stays.
        const isKept = key === 'name' && address !== null && typeof item === 'string';
        return [keyText(key), isKept ? item : json(item, keyText)];
      }),
    );
  };
  const asIs = (key: string) => key;
  return (kind, value) => {
    if (value === null) return null;
    switch (kind) {
      case 'email':
        return isTheirs(value) ? null : value;
      case 'key':
        return erasedKey(value as string, text);
      case 'text': {
        const after = text(value as string);
        return after === ERASED ? null : after;
      }
      case 'participants':
        return (value as Participant[]).map((before) => {
          const after = json(before, asIs) as Participant;
          const isErased = after.name !== before.name || after.email !== before.email;
          return isErased ? { ...after, role: null } : after;
        });
      case 'details':
        return json(value, text);
      default:
        return json(value, asIs);
    }
  };
}

/** What identifies a person of a call. */
interface Participant {
  name: string | null;
  email: string | null;
  role: string | null;
  isInternal: boolean;
}

/** A key that names the person is replaced by one that no other record has. */
function erasedKey(key: string, text: (value: string) => string): string {
  const after = text(key);
  return after === key ? key : `${after} ${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

/** Erases everything that people have written or that names them. What is counted stays. */
export const eraseAll: Eraser = (kind, value) => {
  switch (kind) {
    case 'required':
      return ERASED;
    case 'label':
      return value;
    case 'key':
      // A key identifies its record, so it stays unless it looks like an address.
      return erasedKey(value as string, (key) => (key.includes('@') ? ERASED : key));
    case 'details':
      return {};
    case 'participants':
      return (value as Participant[]).map((one) =>
        one.isInternal ? one : { ...one, name: null, email: null, role: null },
      );
    default:
      return null;
  }
};

/**
 * Erases fields of an object.
 * @returns the object with what has changed; the same one if nothing has.
 */
export function erased<Item extends object>(object: Item, fields: Fields, erase: Eraser): Item {
  const changes = Object.entries(fields).flatMap(([field, kind]) => {
    const value: unknown = object[field as keyof Item];
    if (value === undefined) return [];
    const after = erase(kind, value);
    return JSON.stringify(after) === JSON.stringify(value) ? [] : [[field, after] as const];
  });
  return changes.length === 0 ? object : { ...object, ...Object.fromEntries(changes) };
}
