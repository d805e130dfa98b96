import type { components } from '../api/generated/console.ts';
import { forgetToken } from './kept-token.ts';

/** Who is logged in, to which workspace. */
export type Session = components['schemas']['ConsoleSession'];

/** A session that nothing uses yet, because it has to be seen first whose it is. */
export interface Offer {
  readonly token: string;
  /** Whether it comes from a trusted source: it was pasted, the tab kept it, or it comes from a page that the operator named. */
  readonly isConfirmed: boolean;
  /** Whether the tab keeps it. The page around a frame gives its token again after a reload. */
  readonly isKept: boolean;
  /** Whether the address of the page came with it. */
  readonly hasAddress: boolean;
  /** Whose it is; null until that is known. */
  readonly session: Session | null;
  /** Why that could not be read; null if it could. */
  readonly error: unknown;
}

/** What the page knows of the session. */
export interface SessionState {
  /** `refused`: the API did not accept the token that was given. `broken_link`: what the link had is no token. */
  readonly kind: 'none' | 'active' | 'ended' | 'refused' | 'broken_link';
  readonly offer: Offer | null;
}

let token: string | null = null;
/** Whose session has filled the page; null before the first one. */
let owner: Session | null = null;
let state: SessionState = { kind: 'none', offer: null };
const listeners = new Set<() => void>();

/** The token of the session; null without one. */
export function currentToken(): string | null {
  return token;
}

/** The state as it is now. */
export function sessionState(): SessionState {
  return state;
}

/** Whose the contents of the page are; null before the first session. */
export function sessionOwner(): Session | null {
  return owner;
}

/** Starts a session, or continues an ended one of the same owner. */
export function startSession(given: string, session: Session): void {
  token = given;
  owner = session;
  setState({ kind: 'active', offer: null });
}

/** Forgets the token, because the API does not accept it any more. */
export function endSession(): void {
  token = null;
  forgetToken();
  setState({ ...state, kind: 'ended' });
}

/** Stops using the session while the browser loads the page anew for what is offered. */
export function leaveSession(offer: Offer): void {
  token = null;
  setState({ kind: 'none', offer });
}

/** Replaces what is offered. */
export function setOffer(offer: Offer): void {
  setState({ ...state, offer });
}

/** Withdraws what is offered. @param isRefused whether the API did not accept it. */
export function withdrawOffer({ isRefused = false } = {}): void {
  setState({ kind: isRefused && token === null ? 'refused' : state.kind, offer: null });
}

/** Notes that a link had no token where it should, unless there is a session to go on with. */
export function noteBrokenLink(): void {
  if (token === null && state.offer === null) setState({ ...state, kind: 'broken_link' });
}

/** Calls a function when the state changes. @returns what ends that. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}
