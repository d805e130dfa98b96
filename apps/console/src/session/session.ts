import type { components } from '../api/generated/console.ts';
import { forgetToken } from './kept-token.ts';

/** The logged-in user and their workspace. */
export type Session = components['schemas']['ConsoleSession'];

/** A session that is not in use yet, because its owner must be checked first. */
export interface Offer {
  readonly token: string;
  /** Whether it comes from a trusted source: it was pasted, kept by the tab, or sent by a page that the operator trusts. */
  readonly isConfirmed: boolean;
  /** Whether the tab keeps it. The page around a frame sends its token again after a reload. */
  readonly isKept: boolean;
  /** Whether it comes from the URL of the page. */
  readonly hasAddress: boolean;
  /** Its owner; null until that is known. */
  readonly session: Session | null;
  /** Why the owner could not be read; null if it could. */
  readonly error: unknown;
}

/** The state of the session in the page. */
export interface SessionState {
  /** `refused`: the API rejected the token. `broken_link`: the link contained no token. */
  readonly kind: 'none' | 'active' | 'ended' | 'refused' | 'broken_link';
  readonly offer: Offer | null;
}

let token: string | null = null;
/** The owner of the page's content; null before the first session. */
let owner: Session | null = null;
let state: SessionState = { kind: 'none', offer: null };
const listeners = new Set<() => void>();

/** Returns the token of the session; null without one. */
export function currentToken(): string | null {
  return token;
}

/** Returns the current state. */
export function sessionState(): SessionState {
  return state;
}

/** Returns the owner of the page's content; null before the first session. */
export function sessionOwner(): Session | null {
  return owner;
}

/** Starts a session, or continues an ended one of the same owner. */
export function startSession(given: string, session: Session): void {
  token = given;
  owner = session;
  setState({ kind: 'active', offer: null });
}

/** Removes the token, because the API no longer accepts it. */
export function endSession(): void {
  token = null;
  forgetToken();
  setState({ ...state, kind: 'ended' });
}

/** Stops using the session while the browser reloads the page for the offered one. */
export function leaveSession(offer: Offer): void {
  token = null;
  setState({ kind: 'none', offer });
}

/** Replaces the offered session. */
export function setOffer(offer: Offer): void {
  setState({ ...state, offer });
}

/** Withdraws the offered session. @param isRefused whether the API rejected it. */
export function withdrawOffer({ isRefused = false } = {}): void {
  setState({ kind: isRefused && token === null ? 'refused' : state.kind, offer: null });
}

/** Records that a link contained no token, unless there is a session to continue with. */
export function noteBrokenLink(): void {
  if (token === null && state.offer === null) setState({ ...state, kind: 'broken_link' });
}

/** Calls a function when the state changes. @returns a function that stops this. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}
