import { consoleApi } from '../api/clients.ts';
import { ApiFailure } from '../api/failures.ts';
import { queries } from '../api/queries.ts';
import { removeToken, storeToken, storedToken, recordSessionChange } from './token-storage.ts';
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
 * Offers a session token. First reads the session's owner from the API. Then starts the session, unless it is unconfirmed and
 * its owner differs from the user and workspace of the page: in that case, the page asks. A newer token replaces a waiting one.
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
    if (isRefused && storedToken() === token) removeToken();
    // A user with a session continues with it.
    if (isRefused || currentToken() !== null) withdrawOffer({ isRefused });
    else setOffer({ ...offer, error });
    return;
  }
  if (sessionState().offer !== offer) return;
  if (offer.isConfirmed || isOfOwner(session)) acceptOffer(offer, session);
  else setOffer({ ...offer, session });
}

/** Starts the offered session. */
export function acceptOffer(offer: Offer, session: Session): void {
  if (offer.isKept) storeToken(offer.token);
  else removeToken();
  if (sessionOwner() !== null && !isOfOwner(session)) {
    // Reloads the page, so that nothing of the old session continues under another user: no content, no input, no running
    // request.
    leaveSession({ ...offer, session: null });
    recordSessionChange();
    window.location.replace(offer.hasAddress ? window.location.href : '/console/');
    return;
  }
  startSession(offer.token, session);
  void queries.invalidateQueries();
  queries.setQueryData(consoleApi.queryOptions('get', '/session', {}).queryKey, session);
}

/** Declines the offered session, and continues with the current one or the one that the tab has stored. */
export function declineOffer(): void {
  withdrawOffer();
  if (currentToken() === null) void resumeSession();
}

/** Continues the session that the tab has stored, if there is one. */
export async function resumeSession(): Promise<void> {
  const token = storedToken();
  if (token === null) return;
  await offerSession(token, { isConfirmed: true, isKept: true, hasAddress: false });
}

function isOfOwner({ user, company }: Session): boolean {
  const owner = sessionOwner();
  return owner?.user.id === user.id && owner.company.id === company.id;
}

/** Reads the session of a token, with the same retries as other reads. */
function readSession(token: string): Promise<Session> {
  const headers = { Authorization: `Bearer ${token}` };
  return queries.fetchQuery({
    ...consoleApi.queryOptions('get', '/session', { headers }),
    staleTime: 0,
    gcTime: 0,
  });
}
