import { admin, type Route } from '../http/route.ts';
import { getCall } from '../routes/feeds/calls.ts';
import { getRoom } from '../routes/feeds/decision-rooms.ts';
import { getDistribution, listDistributions } from '../routes/feeds/distributions.ts';
import { getDocument, listDocuments } from '../routes/feeds/documents.ts';
import { listEngagementViews } from '../routes/feeds/engagement-views.ts';
import { getEsignDocument, listEsignDocuments } from '../routes/feeds/esign-documents.ts';
import { getHeatmap } from '../routes/heatmaps.ts';
import { getPerson, listPeople } from '../routes/feeds/people.ts';
import { getRoomMetrics } from '../routes/room-metrics.ts';
import { getDeliveryForAdmins, listDeliveriesForAdmins } from '../routes/webhook-deliveries.ts';
import { listAuditRecords } from './audit-log.ts';
import { listCalls } from './calls.ts';
import { listRooms } from './decision-rooms.ts';
import { listEngagementEvents } from './engagement-events.ts';
import { countDeadDeliveries, listDeadLetters } from './dead-letters.ts';
import { getDeliveryCounts } from './delivery-counts.ts';
import { listEndpointHealth } from './endpoint-health.ts';
import { createErasure, previewErasure } from './erase.ts';
import { listLatestErasures } from './erasures.ts';
import { listKeyUsage } from './key-usage.ts';
import { getOverview } from './overview.ts';
import { search } from './search.ts';
import { getSession } from './session.ts';
import { whyDidItNotCome } from './why/why.ts';

/**
 * Every route below `/console/api`. Admins read the data of their workspace here with their session, through the same operations
 * as API keys. A session token cannot use the routes for keys.
 */
export const CONSOLE_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/session', access: 'session', isForAnySession: true, ...getSession },
  admin('GET', '/overview', getOverview),
  admin('GET', '/delivery-counts', getDeliveryCounts),
  admin('GET', '/endpoint-health', listEndpointHealth),
  admin('GET', '/dead-letters', listDeadLetters),
  admin('GET', '/dead-letters/count', countDeadDeliveries),
  admin('GET', '/api-key-usage', listKeyUsage),
  admin('GET', '/search', search),
  admin('GET', '/why', whyDidItNotCome),
  admin('GET', '/calls', listCalls),
  admin('GET', '/calls/:id', getCall),
  admin('GET', '/engagement/events', listEngagementEvents),
  admin('GET', '/engagement/views', listEngagementViews),
  admin('GET', '/decision-rooms', listRooms),
  admin('GET', '/decision-rooms/:id', getRoom),
  admin('GET', '/decision-rooms/:id/metrics', getRoomMetrics),
  admin('GET', '/people', listPeople),
  admin('GET', '/people/:id', getPerson),
  admin('GET', '/documents', listDocuments),
  admin('GET', '/documents/:id', getDocument),
  admin('GET', '/esign-documents', listEsignDocuments),
  admin('GET', '/esign-documents/:id', getEsignDocument),
  admin('GET', '/distributions', listDistributions),
  admin('GET', '/distributions/:id', getDistribution),
  admin('GET', '/distributions/:id/heatmap', getHeatmap),
  admin('GET', '/webhook-deliveries', listDeliveriesForAdmins),
  admin('GET', '/webhook-deliveries/:id', getDeliveryForAdmins),
  admin('GET', '/erasures', listLatestErasures),
  admin('POST', '/erasures', createErasure),
  admin('POST', '/erasures/preview', previewErasure),
  admin('GET', '/audit-log', listAuditRecords),
];
