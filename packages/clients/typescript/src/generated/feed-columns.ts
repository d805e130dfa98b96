// Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.

import type { Feed } from '../feeds/feeds.ts';
import type { Column } from '../stores/columns.ts';

/** The columns of each feed, in the order of the published fields. */
export const FEED_COLUMNS: Record<Feed, readonly Column[]> = {
  "calls": [
    {
      "field": "id",
      "name": "id",
      "type": "uuid"
    },
    {
      "field": "kind",
      "name": "kind",
      "type": "text"
    },
    {
      "field": "status",
      "name": "status",
      "type": "text"
    },
    {
      "field": "occurredAt",
      "name": "occurred_at",
      "type": "timestamp"
    },
    {
      "field": "updatedAt",
      "name": "updated_at",
      "type": "timestamp"
    },
    {
      "field": "completedAt",
      "name": "completed_at",
      "type": "timestamp"
    },
    {
      "field": "owner",
      "name": "owner",
      "type": "json"
    },
    {
      "field": "participants",
      "name": "participants",
      "type": "json"
    },
    {
      "field": "hasSummary",
      "name": "has_summary",
      "type": "boolean"
    },
    {
      "field": "title",
      "name": "title",
      "type": "text"
    },
    {
      "field": "prospectName",
      "name": "prospect_name",
      "type": "text"
    },
    {
      "field": "durationSeconds",
      "name": "duration_seconds",
      "type": "integer"
    },
    {
      "field": "buyerSpaceId",
      "name": "buyer_space_id",
      "type": "uuid"
    },
    {
      "field": "talkTime",
      "name": "talk_time",
      "type": "json"
    },
    {
      "field": "summary",
      "name": "summary",
      "type": "json"
    },
    {
      "field": "deal",
      "name": "deal",
      "type": "json"
    },
    {
      "field": "disqualifiedAt",
      "name": "disqualified_at",
      "type": "timestamp"
    },
    {
      "field": "disqualifiedReason",
      "name": "disqualified_reason",
      "type": "text"
    }
  ],
  "engagement/events": [
    {
      "field": "id",
      "name": "id",
      "type": "integer"
    },
    {
      "field": "type",
      "name": "type",
      "type": "text"
    },
    {
      "field": "occurredAt",
      "name": "occurred_at",
      "type": "timestamp"
    },
    {
      "field": "actor",
      "name": "actor",
      "type": "json"
    },
    {
      "field": "personId",
      "name": "person_id",
      "type": "uuid"
    },
    {
      "field": "metadata",
      "name": "metadata",
      "type": "json"
    },
    {
      "field": "demoId",
      "name": "demo_id",
      "type": "uuid"
    },
    {
      "field": "demoTitle",
      "name": "demo_title",
      "type": "text"
    },
    {
      "field": "distributionId",
      "name": "distribution_id",
      "type": "uuid"
    },
    {
      "field": "forwardedFromDistributionId",
      "name": "forwarded_from_distribution_id",
      "type": "uuid"
    },
    {
      "field": "buyerSpaceId",
      "name": "buyer_space_id",
      "type": "uuid"
    },
    {
      "field": "buyerSpaceName",
      "name": "buyer_space_name",
      "type": "text"
    },
    {
      "field": "owner",
      "name": "owner",
      "type": "json"
    },
    {
      "field": "docId",
      "name": "doc_id",
      "type": "uuid"
    }
  ],
  "engagement/views": [
    {
      "field": "id",
      "name": "id",
      "type": "integer"
    },
    {
      "field": "kind",
      "name": "kind",
      "type": "text"
    },
    {
      "field": "startedAt",
      "name": "started_at",
      "type": "timestamp"
    },
    {
      "field": "endedAt",
      "name": "ended_at",
      "type": "timestamp"
    },
    {
      "field": "actor",
      "name": "actor",
      "type": "json"
    },
    {
      "field": "personId",
      "name": "person_id",
      "type": "uuid"
    },
    {
      "field": "distributionId",
      "name": "distribution_id",
      "type": "uuid"
    },
    {
      "field": "forwardedFromDistributionId",
      "name": "forwarded_from_distribution_id",
      "type": "uuid"
    },
    {
      "field": "demoId",
      "name": "demo_id",
      "type": "uuid"
    },
    {
      "field": "demoTitle",
      "name": "demo_title",
      "type": "text"
    },
    {
      "field": "docId",
      "name": "doc_id",
      "type": "uuid"
    },
    {
      "field": "buyerSpaceId",
      "name": "buyer_space_id",
      "type": "uuid"
    },
    {
      "field": "buyerSpaceName",
      "name": "buyer_space_name",
      "type": "text"
    },
    {
      "field": "owner",
      "name": "owner",
      "type": "json"
    },
    {
      "field": "watchSeconds",
      "name": "watch_seconds",
      "type": "integer"
    },
    {
      "field": "uniqueSeconds",
      "name": "unique_seconds",
      "type": "integer"
    },
    {
      "field": "durationSeconds",
      "name": "duration_seconds",
      "type": "integer"
    },
    {
      "field": "completionPercent",
      "name": "completion_percent",
      "type": "integer"
    },
    {
      "field": "segments",
      "name": "segments",
      "type": "json"
    }
  ],
  "decision-rooms": [
    {
      "field": "id",
      "name": "id",
      "type": "uuid"
    },
    {
      "field": "name",
      "name": "name",
      "type": "text"
    },
    {
      "field": "slug",
      "name": "slug",
      "type": "text"
    },
    {
      "field": "status",
      "name": "status",
      "type": "text"
    },
    {
      "field": "owner",
      "name": "owner",
      "type": "json"
    },
    {
      "field": "primaryContactEmail",
      "name": "primary_contact_email",
      "type": "text"
    },
    {
      "field": "expectedCloseDate",
      "name": "expected_close_date",
      "type": "date"
    },
    {
      "field": "dealValueCents",
      "name": "deal_value_cents",
      "type": "integer"
    },
    {
      "field": "sourceCallId",
      "name": "source_call_id",
      "type": "uuid"
    },
    {
      "field": "createdAt",
      "name": "created_at",
      "type": "timestamp"
    },
    {
      "field": "lastActivityAt",
      "name": "last_activity_at",
      "type": "timestamp"
    },
    {
      "field": "lastEngagementAt",
      "name": "last_engagement_at",
      "type": "timestamp"
    },
    {
      "field": "closedAt",
      "name": "closed_at",
      "type": "timestamp"
    }
  ],
  "room-scores": [
    {
      "field": "id",
      "name": "id",
      "type": "uuid"
    },
    {
      "field": "engagementScore",
      "name": "engagement_score",
      "type": "integer"
    },
    {
      "field": "recencyPoints",
      "name": "recency_points",
      "type": "integer"
    },
    {
      "field": "breadthPoints",
      "name": "breadth_points",
      "type": "integer"
    },
    {
      "field": "depthPoints",
      "name": "depth_points",
      "type": "integer"
    },
    {
      "field": "totals",
      "name": "totals",
      "type": "json"
    },
    {
      "field": "lastActivityAt",
      "name": "last_activity_at",
      "type": "timestamp"
    }
  ],
  "people": [
    {
      "field": "id",
      "name": "id",
      "type": "uuid"
    },
    {
      "field": "buyerSpaceId",
      "name": "buyer_space_id",
      "type": "uuid"
    },
    {
      "field": "email",
      "name": "email",
      "type": "text"
    },
    {
      "field": "name",
      "name": "name",
      "type": "text"
    },
    {
      "field": "role",
      "name": "role",
      "type": "text"
    },
    {
      "field": "title",
      "name": "title",
      "type": "text"
    },
    {
      "field": "inCommittee",
      "name": "in_committee",
      "type": "boolean"
    },
    {
      "field": "removedAt",
      "name": "removed_at",
      "type": "timestamp"
    },
    {
      "field": "updatedAt",
      "name": "updated_at",
      "type": "timestamp"
    }
  ],
  "documents": [
    {
      "field": "id",
      "name": "id",
      "type": "uuid"
    },
    {
      "field": "buyerSpaceId",
      "name": "buyer_space_id",
      "type": "uuid"
    },
    {
      "field": "title",
      "name": "title",
      "type": "text"
    },
    {
      "field": "category",
      "name": "category",
      "type": "text"
    },
    {
      "field": "uploadedByProspect",
      "name": "uploaded_by_prospect",
      "type": "boolean"
    },
    {
      "field": "libraryAssetId",
      "name": "library_asset_id",
      "type": "text"
    },
    {
      "field": "updatedAt",
      "name": "updated_at",
      "type": "timestamp"
    }
  ],
  "esign-documents": [
    {
      "field": "id",
      "name": "id",
      "type": "text"
    },
    {
      "field": "buyerSpaceId",
      "name": "buyer_space_id",
      "type": "uuid"
    },
    {
      "field": "vendor",
      "name": "vendor",
      "type": "text"
    },
    {
      "field": "envelopeId",
      "name": "envelope_id",
      "type": "text"
    },
    {
      "field": "subject",
      "name": "subject",
      "type": "text"
    },
    {
      "field": "status",
      "name": "status",
      "type": "text"
    },
    {
      "field": "recipientCount",
      "name": "recipient_count",
      "type": "integer"
    },
    {
      "field": "sentAt",
      "name": "sent_at",
      "type": "timestamp"
    },
    {
      "field": "firstViewedAt",
      "name": "first_viewed_at",
      "type": "timestamp"
    },
    {
      "field": "lastEventAt",
      "name": "last_event_at",
      "type": "timestamp"
    },
    {
      "field": "completedAt",
      "name": "completed_at",
      "type": "timestamp"
    },
    {
      "field": "declinedAt",
      "name": "declined_at",
      "type": "timestamp"
    },
    {
      "field": "updatedAt",
      "name": "updated_at",
      "type": "timestamp"
    }
  ],
  "distributions": [
    {
      "field": "id",
      "name": "id",
      "type": "uuid"
    },
    {
      "field": "buyerSpaceId",
      "name": "buyer_space_id",
      "type": "uuid"
    },
    {
      "field": "recipient",
      "name": "recipient",
      "type": "json"
    },
    {
      "field": "demoId",
      "name": "demo_id",
      "type": "uuid"
    },
    {
      "field": "forwardedFromDistributionId",
      "name": "forwarded_from_distribution_id",
      "type": "uuid"
    },
    {
      "field": "updatedAt",
      "name": "updated_at",
      "type": "timestamp"
    }
  ],
  "erasures": [
    {
      "field": "id",
      "name": "id",
      "type": "uuid"
    },
    {
      "field": "erasureId",
      "name": "erasure_id",
      "type": "uuid"
    },
    {
      "field": "kind",
      "name": "kind",
      "type": "text"
    },
    {
      "field": "buyerSpaceId",
      "name": "buyer_space_id",
      "type": "uuid"
    },
    {
      "field": "emailSha256",
      "name": "email_sha256",
      "type": "text"
    },
    {
      "field": "personIds",
      "name": "person_ids",
      "type": "json"
    },
    {
      "field": "distributionIds",
      "name": "distribution_ids",
      "type": "json"
    },
    {
      "field": "engagementEventIds",
      "name": "engagement_event_ids",
      "type": "json"
    },
    {
      "field": "engagementViewIds",
      "name": "engagement_view_ids",
      "type": "json"
    },
    {
      "field": "engagementBefore",
      "name": "engagement_before",
      "type": "integer"
    },
    {
      "field": "erasedAt",
      "name": "erased_at",
      "type": "timestamp"
    }
  ],
  "webhook-deliveries": [
    {
      "field": "id",
      "name": "id",
      "type": "integer"
    },
    {
      "field": "endpointId",
      "name": "endpoint_id",
      "type": "integer"
    },
    {
      "field": "eventId",
      "name": "event_id",
      "type": "uuid"
    },
    {
      "field": "eventType",
      "name": "event_type",
      "type": "text"
    },
    {
      "field": "buyerSpaceId",
      "name": "buyer_space_id",
      "type": "uuid"
    },
    {
      "field": "callId",
      "name": "call_id",
      "type": "uuid"
    },
    {
      "field": "status",
      "name": "status",
      "type": "text"
    },
    {
      "field": "attempts",
      "name": "attempts",
      "type": "integer"
    },
    {
      "field": "nextAttemptAt",
      "name": "next_attempt_at",
      "type": "timestamp"
    },
    {
      "field": "createdAt",
      "name": "created_at",
      "type": "timestamp"
    },
    {
      "field": "deliveredAt",
      "name": "delivered_at",
      "type": "timestamp"
    },
    {
      "field": "lastStatusCode",
      "name": "last_status_code",
      "type": "integer"
    },
    {
      "field": "lastError",
      "name": "last_error",
      "type": "text"
    },
    {
      "field": "dismissedAt",
      "name": "dismissed_at",
      "type": "timestamp"
    }
  ]
};

/** The query parameter of each feed that sets where reading begins; null if it has none. */
export const START_PARAMETERS: Record<Feed, string | null> = {
  "calls": "updated_since",
  "engagement/events": "since",
  "engagement/views": "since",
  "decision-rooms": "updated_since",
  "room-scores": null,
  "people": "updated_since",
  "documents": "updated_since",
  "esign-documents": "updated_since",
  "distributions": "updated_since",
  "erasures": null,
  "webhook-deliveries": null
};
