import type { Route } from '../http/route.ts';
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
  { method: 'GET', path: '/overview', access: 'session', ...getOverview },
  { method: 'GET', path: '/delivery-counts', access: 'session', ...getDeliveryCounts },
  { method: 'GET', path: '/endpoint-health', access: 'session', ...listEndpointHealth },
  { method: 'GET', path: '/dead-letters', access: 'session', ...listDeadLetters },
  { method: 'GET', path: '/dead-letters/count', access: 'session', ...countDeadDeliveries },
  { method: 'GET', path: '/api-key-usage', access: 'session', ...listKeyUsage },
  { method: 'GET', path: '/search', access: 'session', ...search },
  { method: 'GET', path: '/why', access: 'session', ...whyDidItNotCome },
  { method: 'GET', path: '/calls', access: 'session', ...listCalls },
  { method: 'GET', path: '/calls/:id', access: 'session', ...getCall },
  { method: 'GET', path: '/engagement/events', access: 'session', ...listEngagementEvents },
  { method: 'GET', path: '/engagement/views', access: 'session', ...listEngagementViews },
  { method: 'GET', path: '/decision-rooms', access: 'session', ...listRooms },
  { method: 'GET', path: '/decision-rooms/:id', access: 'session', ...getRoom },
  { method: 'GET', path: '/decision-rooms/:id/metrics', access: 'session', ...getRoomMetrics },
  { method: 'GET', path: '/people', access: 'session', ...listPeople },
  { method: 'GET', path: '/people/:id', access: 'session', ...getPerson },
  { method: 'GET', path: '/documents', access: 'session', ...listDocuments },
  { method: 'GET', path: '/documents/:id', access: 'session', ...getDocument },
  { method: 'GET', path: '/esign-documents', access: 'session', ...listEsignDocuments },
  { method: 'GET', path: '/esign-documents/:id', access: 'session', ...getEsignDocument },
  { method: 'GET', path: '/distributions', access: 'session', ...listDistributions },
  { method: 'GET', path: '/distributions/:id', access: 'session', ...getDistribution },
  { method: 'GET', path: '/distributions/:id/heatmap', access: 'session', ...getHeatmap },
  { method: 'GET', path: '/webhook-deliveries', access: 'session', ...listDeliveriesForAdmins },
  { method: 'GET', path: '/webhook-deliveries/:id', access: 'session', ...getDeliveryForAdmins },
  { method: 'GET', path: '/erasures', access: 'session', ...listLatestErasures },
  { method: 'POST', path: '/erasures', access: 'session', ...createErasure },
  { method: 'POST', path: '/erasures/preview', access: 'session', ...previewErasure },
  { method: 'GET', path: '/audit-log', access: 'session', ...listAuditRecords },
];
