import { consoleApi } from '../api/clients.ts';
import { ApiFailure } from '../api/failures.ts';
import { queries } from '../api/queries.ts';
import { forgetToken, keepToken, keptToken, noteChange } from './kept-token.ts';
import {
  currentToken,
  leaveSession,
  type Offer,
  type Session,
  sessionOwner,
  sessionState,
  setOffer,
  startSession,
  withdrawOffer,
} from './session.ts';

/**
 * Takes a session token. First, the API is asked whose it is. Then the session begins, unless it is not confirmed and is
 * not of the user and workspace that the page is filled for: then the page asks. A newer token takes the place of one that waits.
 */
export async function offerSession(
  token: string,
  how: Pick<Offer, 'isConfirmed' | 'isKept' | 'hasAddress'>,
): Promise<void> {
  const offer: Offer = { ...how, token, session: null, error: null };
  setOffer(offer);
  let session: Session;
  try {
    session = await readSession(token);
  } catch (error) {
    if (sessionState().offer !== offer) return;
    const isRefused = error instanceof ApiFailure && error.code === 'SESSION_INVALID';
    if (isRefused && keptToken() === token) forgetToken();
    // Who has a session goes on with it.
    if (isRefused || currentToken() !== null) withdrawOffer({ isRefused });
    else setOffer({ ...offer, error });
    return;
  }
  if (sessionState().offer !== offer) return;
  if (offer.isConfirmed || isOfOwner(session)) acceptOffer(offer, session);
  else setOffer({ ...offer, session });
}

/** Begins the session that is offered. */
export function acceptOffer(offer: Offer, session: Session): void {
  if (offer.isKept) keepToken(offer.token);
  else forgetToken();
  if (sessionOwner() !== null && !isOfOwner(session)) {
    // Nothing of the page may go on under another name: neither what is on it, nor what was typed, nor what is still running.
    leaveSession({ ...offer, session: null });
    noteChange();
    window.location.replace(offer.hasAddress ? window.location.href : '/console/');
    return;
  }
  startSession(offer.token, session);
  void queries.invalidateQueries();
  queries.setQueryData(consoleApi.queryOptions('get', '/session', {}).queryKey, session);
}

/** Goes on without what is offered: with the session that there is, or with the one that the tab keeps. */
export function declineOffer(): void {
  withdrawOffer();
  if (currentToken() === null) void resumeSession();
}

/** Continues the session that the tab keeps, if there is one. */
export async function resumeSession(): Promise<void> {
  const token = keptToken();
  if (token === null) return;
  await offerSession(token, { isConfirmed: true, isKept: true, hasAddress: false });
}

function isOfOwner({ user, company }: Session): boolean {
  const owner = sessionOwner();
  return owner?.user.id === user.id && owner.company.id === company.id;
}

/** Reads whose a token is, and tries again as every other read does. */
function readSession(token: string): Promise<Session> {
  const headers = { Authorization: `Bearer ${token}` };
  return queries.fetchQuery({
    ...consoleApi.queryOptions('get', '/session', { headers }),
    staleTime: 0,
    gcTime: 0,
  });
}
