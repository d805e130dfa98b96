import type { components } from '../api/generated/console.ts';
import { removeToken } from './token-storage.ts';

/** The logged-in user and their workspace. */
export type Session = components['schemas']['ConsoleSession'];

/** An offered session, which is not used until its owner is known. */
export interface Offer {
  readonly token: string;
  /** Whether it comes from a trusted source: it was pasted or stored by the tab, or a page that the operator trusts sent it. */
  readonly isConfirmed: boolean;
  /** Whether the tab stores it. A page that embeds the frame sends its token again after a reload. */
  readonly isKept: boolean;
  /** Whether it came with the address of the page. */
  readonly hasAddress: boolean;
  /** The session with its owner; null until it was read. */
  readonly session: Session | null;
  /** Why it could not be read; null if there was no error. */
  readonly error: unknown;
}

/** The state of the session. */
export interface SessionState {
  /** `refused`: the API rejected the given token. `broken_link`: the link contains no valid token. */
  readonly kind: 'none' | 'active' | 'ended' | 'refused' | 'broken_link';
  readonly offer: Offer | null;
}

let token: string | null = null;
/** The owner of the page's content; null before the first session. */
let owner: Session | null = null;
let state: SessionState = { kind: 'none', offer: null };
const listeners = new Set<() => void>();

/** Returns the token of the session; null if there is none. */
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

/** Starts a session, or continues an ended session of the same owner. */
export function startSession(given: string, session: Session): void {
  token = given;
  owner = session;
  setState({ kind: 'active', offer: null });
}

/** Removes the token, because the API no longer accepts it. */
export function endSession(): void {
  token = null;
  removeToken();
  setState({ ...state, kind: 'ended' });
}

/** Stops using the session while the browser reloads the page for the offered one. */
export function leaveSession(offer: Offer): void {
  token = null;
  setState({ kind: 'none', offer });
}

/** Replaces the offer. */
export function setOffer(offer: Offer): void {
  setState({ ...state, offer });
}

/** Withdraws the offer. @param isRefused whether the API rejected it. */
export function withdrawOffer({ isRefused = false } = {}): void {
  setState({ kind: isRefused && token === null ? 'refused' : state.kind, offer: null });
}

/** Records that a link contained no valid token, unless there is a session to continue. */
export function reportBrokenLink(): void {
  if (token === null && state.offer === null) setState({ ...state, kind: 'broken_link' });
}

/** Calls a function when the state changes. @returns a function that unsubscribes. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}
