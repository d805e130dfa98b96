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
 * Handles a session token. First, it asks the API whose token it is. Then the session begins, unless the token is unconfirmed and
 * belongs to another user or workspace than the page's content: then the page asks the user. A newer token replaces a waiting
 * one.
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
    // A user with a session keeps it.
    if (isRefused || currentToken() !== null) withdrawOffer({ isRefused });
    else setOffer({ ...offer, error });
    return;
  }
  if (sessionState().offer !== offer) return;
  if (offer.isConfirmed || isOfOwner(session)) acceptOffer(offer, session);
  else setOffer({ ...offer, session });
}

/** Begins the offered session. */
export function acceptOffer(offer: Offer, session: Session): void {
  if (offer.isKept) keepToken(offer.token);
  else forgetToken();
  if (sessionOwner() !== null && !isOfOwner(session)) {
    // Nothing of the page may continue under another user: neither its content, nor its input, nor its running requests.
    leaveSession({ ...offer, session: null });
    noteChange();
    window.location.replace(offer.hasAddress ? window.location.href : '/console/');
    return;
  }
  startSession(offer.token, session);
  void queries.invalidateQueries();
  queries.setQueryData(consoleApi.queryOptions('get', '/session', {}).queryKey, session);
}

/** Declines the offered session and continues with the current one, or with the one that the tab keeps. */
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

/** Reads whose token it is, with the retries of all reads. */
function readSession(token: string): Promise<Session> {
  const headers = { Authorization: `Bearer ${token}` };
  return queries.fetchQuery({
    ...consoleApi.queryOptions('get', '/session', { headers }),
    staleTime: 0,
    gcTime: 0,
  });
}
