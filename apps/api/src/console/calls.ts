import { END, timeCursors, UUIDS } from '../http/pagination.ts';
import { callFeed } from '../routes/feeds/calls.ts';

/** `GET /calls` of the console: the calls of the workspace, in either order of their last change. */
export const listCalls = callFeed({
  description:
    'Returns the calls of the workspace, in the order they last changed or, with `order=desc`, in the reverse order. With `order=desc`, a call that changes moves to the beginning, so pages that follow an earlier cursor do not return it again.',
  newestFirst: timeCursors('calls-newest-first', UUIDS, END),
  order: 'Calls in the requested order',
});
