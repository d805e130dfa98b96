# Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.
"""The types of the API's objects.

A field that has no value is None. Fields can be added at any time.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict

#: ISO 8601, UTC, with milliseconds
DateTime = str
#: Integer id, as a string
IntegerId = str


class Status(TypedDict):
    ok: bool
    apiVersion: str
    company: StatusCompany
    key: StatusKey
    webhooks: StatusWebhooks
    rateLimit: StatusRateLimit


class StatusCompany(TypedDict):
    id: int
    name: str


class StatusKey(TypedDict):
    prefix: str
    name: str
    scopes: List[str]
    createdAt: DateTime
    lastUsedAt: Optional[DateTime]


class StatusWebhooks(TypedDict):
    endpoints: int
    enabledEndpoints: int
    #: Counted up to 5,000
    pendingDeliveries: int
    #: False if there are more than the count, which is then the maximum that is counted
    pendingDeliveriesExact: bool
    #: Dead deliveries that have not been dismissed, without test events and those of removed endpoints.
    #: Counted up to 5,000
    deadDeliveries: int
    #: False if there are more than the count, which is then the maximum that is counted
    deadDeliveriesExact: bool
    lastDeliveredAt: Optional[DateTime]


class StatusRateLimit(TypedDict):
    perMinute: int


class Call(TypedDict):
    id: str
    kind: Literal["demo", "qualifying_call", "meeting"]
    status: Literal["processing", "completed", "failed"]
    occurredAt: DateTime
    #: Time of the last change to the call; the sort key of `GET /calls`
    updatedAt: DateTime
    completedAt: Optional[DateTime]
    owner: Owner
    participants: List[CallParticipant]
    hasSummary: bool
    title: Optional[str]
    prospectName: Optional[str]
    durationSeconds: Optional[int]
    buyerSpaceId: Optional[str]
    talkTime: Optional[CallTalkTime]
    summary: Optional[CallSummary]
    #: Status and value of the Decision Room the call belongs to; null if it has no room
    deal: Optional[CallDeal]
    disqualifiedAt: Optional[DateTime]
    disqualifiedReason: Optional[str]


class CallDeal(TypedDict):
    status: Literal["open", "won", "lost", "dormant"]
    valueCents: Optional[int]


class Owner(TypedDict):
    id: int
    name: Optional[str]
    email: Optional[str]


class CallParticipant(TypedDict):
    name: Optional[str]
    email: Optional[str]
    role: Optional[str]
    isHost: bool
    isInternal: bool
    talkSeconds: Optional[int]
    talkPercent: Optional[float]
    sources: List[str]


class CallTalkTime(TypedDict):
    source: Optional[str]
    totalSpeakerSeconds: Optional[int]


class CallSummary(TypedDict):
    #: The kind of summary
    schema: Optional[str]
    headline: Optional[str]
    company: Optional[str]
    timeline: Optional[str]
    budgetSignals: Optional[str]
    verdictReasoning: Optional[str]
    contextForNextCall: Optional[str]
    participants: List[str]
    keyTakeaways: List[str]
    decisions: List[str]
    actionItems: List[str]
    nextSteps: List[str]
    openQuestions: List[str]
    painPoints: List[str]
    currentState: List[str]
    desiredOutcomes: List[str]
    decisionCriteria: List[str]
    qualificationVerdict: Optional[str]
    topics: List[CallSummaryTopic]


class CallSummaryTopic(TypedDict):
    label: str
    summary: Optional[str]
    startSeconds: Optional[int]
    endSeconds: Optional[int]


class _EngagementEvent(TypedDict):
    id: IntegerId
    #: Open enumeration: new values may appear
    type: str
    occurredAt: DateTime
    actor: Actor
    #: Id of the actor in this room: of `GET /people` and of the stakeholders in the room metrics
    personId: Optional[str]
    #: Free-form details of the event
    metadata: Dict[str, Any]
    demoId: Optional[str]
    demoTitle: Optional[str]
    distributionId: Optional[str]
    buyerSpaceId: str
    #: Name of the room when this was recorded
    buyerSpaceName: Optional[str]
    #: Owner of the room when this was recorded; null if it had none
    owner: Optional[Owner]
    docId: Optional[str]


class EngagementEvent(_EngagementEvent, total=False):
    #: Id of the share link from which this one was forwarded; present only for a forwarded link
    forwardedFromDistributionId: str


class Actor(TypedDict):
    name: Optional[str]
    email: Optional[str]


class EngagementView(TypedDict):
    id: IntegerId
    kind: Literal["trailer", "document"]
    startedAt: DateTime
    endedAt: DateTime
    actor: Actor
    #: Id of the actor in this room: of `GET /people` and of the stakeholders in the room metrics
    personId: Optional[str]
    distributionId: str
    forwardedFromDistributionId: Optional[str]
    demoId: Optional[str]
    demoTitle: Optional[str]
    docId: Optional[str]
    buyerSpaceId: Optional[str]
    #: Name of the room when this was recorded
    buyerSpaceName: Optional[str]
    #: Owner of the room when this was recorded; null if it had none
    owner: Optional[Owner]
    #: Total seconds played or read, including rewatches
    watchSeconds: int
    #: Distinct seconds of the recording that were played; null for documents
    uniqueSeconds: Optional[int]
    #: Length of the recording; null for documents, or if unknown
    durationSeconds: Optional[int]
    #: Percentage of the recording played in this session alone, rounded down
    completionPercent: Optional[int]
    #: Played ranges in the order they were played, in whole seconds, rounded down; empty for documents
    segments: List[EngagementViewSegment]


class EngagementViewSegment(TypedDict):
    startSeconds: int
    endSeconds: int


class Room(TypedDict):
    id: str
    #: The prospect company's name
    name: str
    slug: Optional[str]
    status: Literal["open", "won", "lost", "dormant"]
    #: Null if the room has no owner
    owner: Optional[Owner]
    primaryContactEmail: Optional[str]
    expectedCloseDate: Optional[str]
    #: In minor currency units; exact up to 2^53
    dealValueCents: Optional[int]
    sourceCallId: Optional[str]
    createdAt: DateTime
    #: Time of the last activity in the room; the sort key of `GET /decision-rooms`
    lastActivityAt: DateTime
    #: When the latest event or view of the room occurred: `totals.lastActivityAt` of its metrics.
    #: `lastActivityAt` is the time at which something was last recorded, which after an import is the time
    #: of the import
    lastEngagementAt: Optional[DateTime]
    closedAt: Optional[DateTime]


class RoomMetrics(TypedDict):
    room: Room
    engagementScore: int
    totals: RoomMetricsTotals
    stakeholders: List[Stakeholder]
    trailers: List[RoomTrailer]
    assets: List[RoomAsset]
    actionPlan: RoomMetricsActionPlan
    conversation: RoomMetricsConversation
    esign: RoomMetricsEsign


class RoomMetricsTotals(TypedDict):
    events: int
    engagedPeople: int
    silentPeople: int
    trailerViews: int
    #: Total seconds played, including rewatches
    watchSeconds: int
    bestCompletionPercent: int
    docsOpened: int
    lastActivityAt: Optional[DateTime]


class RoomMetricsActionPlan(TypedDict):
    total: int
    done: int
    doneByProspect: int
    overdue: int
    lastCompletedAt: Optional[DateTime]


class RoomMetricsConversation(TypedDict):
    prospectMessages: int
    sellerMessages: int
    lastMessageAt: Optional[DateTime]


class RoomMetricsEsign(TypedDict):
    status: Optional[Literal["sent", "delivered", "viewed", "signed_partial", "completed", "declined", "voided"]]
    documents: List[EsignDocument]


class Stakeholder(TypedDict):
    #: Id of this person in this room, as in `GET /people`
    personId: str
    #: In lower case; identifies the person within the room
    email: Optional[str]
    name: Optional[str]
    role: Optional[str]
    title: Optional[str]
    #: Listed in the room's People section
    inCommittee: bool
    #: `engaged`: active in the last 30 days; `dormant`: last active before that; `silent`: never active
    status: Literal["engaged", "dormant", "silent"]
    trailerViews: int
    trailerCompletes: int
    watchSeconds: int
    bestCompletionPercent: int
    roomVisits: int
    #: Number of times a document was opened
    docOpens: int
    #: Number of distinct documents opened
    docsOpened: int
    mapCheckoffs: int
    comments: int
    messages: int
    forwards: int
    lastActivityAt: Optional[DateTime]


class RoomTrailer(TypedDict):
    id: str
    title: Optional[str]
    kind: Literal["demo", "qualifying_call", "meeting"]
    durationSeconds: Optional[int]
    #: Number of distinct people the recording was shared with
    recipients: int
    views: int
    watchSeconds: int
    bestCompletionPercent: int


class RoomAsset(TypedDict):
    id: str
    title: str
    category: str
    uploadedByProspect: bool
    libraryAssetId: Optional[str]
    opens: int
    uniqueViewers: int
    #: Total reading time of all viewers
    totalSeconds: int
    lastViewedAt: Optional[DateTime]
    #: One item for each share link and person, because a link may later be addressed to another person
    viewers: List[RoomAssetViewer]


class RoomAssetViewer(TypedDict):
    distributionId: str
    email: Optional[str]
    name: Optional[str]
    seconds: int
    sessions: int
    lastViewedAt: Optional[DateTime]


class EsignDocument(TypedDict):
    id: str
    buyerSpaceId: str
    vendor: str
    envelopeId: str
    subject: Optional[str]
    status: Literal["sent", "delivered", "viewed", "signed_partial", "completed", "declined", "voided"]
    recipientCount: Optional[int]
    sentAt: Optional[DateTime]
    firstViewedAt: Optional[DateTime]
    lastEventAt: Optional[DateTime]
    completedAt: Optional[DateTime]
    declinedAt: Optional[DateTime]
    #: Time of the last change to the contract; the sort key of `GET /esign-documents`
    updatedAt: DateTime


class RoomScore(TypedDict):
    #: The id of the room
    id: str
    #: The score at the time of the request: the same as in the metrics of the room, and the sum of its
    #: terms
    engagementScore: int
    recencyPoints: int
    breadthPoints: int
    depthPoints: int
    totals: RoomScoreTotals
    #: `lastActivityAt` of the room; the sort key of `GET /room-scores`
    lastActivityAt: DateTime


class RoomScoreTotals(TypedDict):
    events: int
    engagedPeople: int
    silentPeople: int
    trailerViews: int
    #: Total seconds played, including rewatches
    watchSeconds: int
    bestCompletionPercent: int
    docsOpened: int
    lastActivityAt: Optional[DateTime]


class Person(TypedDict):
    #: Id of this person in this room. A person who is in several rooms has an id in each
    id: str
    buyerSpaceId: str
    #: In lower case; identifies the person within the room
    email: Optional[str]
    name: Optional[str]
    role: Optional[str]
    title: Optional[str]
    #: Listed in the room's People section
    inCommittee: bool
    #: When the person stopped being a stakeholder, because every share link to them was addressed to
    #: another person before they did anything; null for stakeholders
    removedAt: Optional[DateTime]
    #: Time of the last change to these fields; the sort key of `GET /people`
    updatedAt: DateTime


class Document(TypedDict):
    id: str
    buyerSpaceId: str
    title: str
    category: str
    uploadedByProspect: bool
    libraryAssetId: Optional[str]
    #: Time of the last change to the document; the sort key of `GET /documents`
    updatedAt: DateTime


class Distribution(TypedDict):
    id: str
    buyerSpaceId: str
    recipient: Actor
    #: Id of the call whose recording the link shares; null for a link to documents only
    demoId: Optional[str]
    #: Id of the share link from which this one was forwarded
    forwardedFromDistributionId: Optional[str]
    #: Time of the last change to the share link; the sort key of `GET /distributions`
    updatedAt: DateTime


class Heatmap(TypedDict):
    distributionId: str
    demoId: Optional[str]
    demoTitle: Optional[str]
    actor: Actor
    durationSeconds: Optional[int]
    bucketSeconds: Optional[int]
    views: int
    watchSeconds: int
    bestCompletionPercent: int
    lastViewedAt: Optional[DateTime]
    buckets: List[HeatmapBucket]


class HeatmapBucket(TypedDict):
    startSeconds: int
    #: Exclusive: the bucket ends just before this second
    endSeconds: int
    #: Number of times that at least half of the bucket was played. Consecutive played ranges count once.
    plays: int
    #: `plays` minus the number of sessions that played any part of the bucket; at least 0
    rewatches: int
    #: `plays` as a percentage of the `plays` of the most played bucket
    intensity: int


class Erasure(TypedDict):
    id: str
    #: The erasure that this entry belongs to. An erasure of many people or texts has several entries; the
    #: last one, which marks the erasure as done, has the same `id`
    erasureId: str
    #: What was erased
    kind: Literal["person", "room"]
    #: The room that was erased; null for a person
    buyerSpaceId: Optional[str]
    #: SHA-256 of the address of the person in lower case, in hexadecimal digits; null for a room, for a
    #: person without an address, and for keys with neither of the scopes `read:rooms` and
    #: `read:engagement`
    emailSha256: Optional[str]
    #: Ids of the people who were erased, one for each of their rooms
    personIds: List[str]
    #: Ids of the share links that were addressed to them
    distributionIds: List[str]
    #: Ids of engagement events whose `metadata`, `demoTitle` or `buyerSpaceName` named the person; empty
    #: for a room
    engagementEventIds: List[IntegerId]
    #: Ids of views whose `demoTitle` or `buyerSpaceName` named the person; empty for a room
    engagementViewIds: List[IntegerId]
    #: For a room: the actor and all texts of the events and views with a smaller id were erased. Null for
    #: a person, and in all entries except the last one
    engagementBefore: Optional[IntegerId]
    #: When it was done; the sort key of `GET /erasures`
    erasedAt: DateTime


class WebhookDelivery(TypedDict):
    id: IntegerId
    endpointId: int
    eventId: str
    eventType: str
    #: The Decision Room that the event is about; null if there is none
    buyerSpaceId: Optional[str]
    #: The call or recording that the event is about; null if there is none
    callId: Optional[str]
    status: Literal["pending", "delivered", "dead"]
    attempts: int
    #: Null once `status` is `delivered` or `dead`, and while the endpoint is disabled
    nextAttemptAt: Optional[DateTime]
    createdAt: DateTime
    deliveredAt: Optional[DateTime]
    lastStatusCode: Optional[int]
    lastError: Optional[str]
    #: When an admin dismissed the dead delivery; it is then no longer counted or retried with the others
    dismissedAt: Optional[DateTime]


class WebhookDeliveryDetail(TypedDict):
    id: IntegerId
    endpointId: int
    eventId: str
    eventType: str
    #: The Decision Room that the event is about; null if there is none
    buyerSpaceId: Optional[str]
    #: The call or recording that the event is about; null if there is none
    callId: Optional[str]
    status: Literal["pending", "delivered", "dead"]
    attempts: int
    #: Null once `status` is `delivered` or `dead`, and while the endpoint is disabled
    nextAttemptAt: Optional[DateTime]
    createdAt: DateTime
    deliveredAt: Optional[DateTime]
    lastStatusCode: Optional[int]
    lastError: Optional[str]
    #: When an admin dismissed the dead delivery; it is then no longer counted or retried with the others
    dismissedAt: Optional[DateTime]
    payload: WebhookPayload
    #: Attempts, oldest first; at most the newest 1,000
    attemptLog: List[WebhookAttempt]


class WebhookPayload(TypedDict):
    """The request body that every attempt sends."""

    id: str
    type: str
    apiVersion: str
    createdAt: DateTime
    companyId: int
    #: Payload of the event type, as described under Webhooks
    data: Dict[str, Any]


class WebhookAttempt(TypedDict):
    #: Counts from 1 over all attempts of the delivery, including those after a manual retry
    number: int
    startedAt: DateTime
    #: Time from the DNS lookup to the response headers, or to the failure; null if `error` does not reveal
    #: how the connection failed
    durationMs: Optional[int]
    #: HTTP status of the response; null if there was none
    statusCode: Optional[int]
    #: Why the attempt failed; null if it succeeded
    error: Optional[str]
    #: The first KiB of the response body; null if there was no response, or if the endpoint had had custom
    #: headers by then, which a response may repeat
    responseExcerpt: Optional[str]
    #: How long the `Retry-After` of a 429 or 503 asked to wait; null if it did not
    retryAfterSeconds: Optional[int]
    #: The `traceparent` header that was sent (W3C Trace Context). Its trace id is that of the request that
    #: captured the event or, if that had none, the event id without hyphens; null in attempts before it
    #: was introduced
    traceparent: Optional[str]


class WebhookEndpoint(TypedDict):
    id: int
    url: str
    description: Optional[str]
    #: Event type names, or `*` for all
    events: List[str]
    #: Which of these events are sent, by their `data`; null for all. The guide on deliveries lists the
    #: operators
    filter: Optional[Dict[str, Any]]
    enabled: bool
    disabledReason: Optional[str]
    createdAt: DateTime
    lastSuccessAt: Optional[DateTime]
    lastErrorAt: Optional[DateTime]
    lastError: Optional[str]
    consecutiveFailures: int
    #: True while only test events are sent to the endpoint, because no test event has succeeded at its
    #: host yet; only where verification is required
    awaitingVerification: bool
    #: The names of the custom headers of every request. Their values are never shown
    headerNames: List[str]
    #: Maximum number of deliveries that start in any minute; null for no such limit
    maxPerMinute: Optional[int]
    #: Whether the next attempt after a 429 or 503 waits as long as its `Retry-After` asks, if that is
    #: later than the schedule says; at most two hours later
    honorRetryAfter: bool
    #: Until when events are also signed with the secret before the last rotation, which may be in the
    #: past; null if that rotation had no overlap
    previousSecretExpiresAt: Optional[DateTime]
    #: The API key that registered the endpoint, or the first one if that key had replaced others; null if
    #: an administrator did
    apiKeyId: Optional[int]


class EngagementRecordedEvent(TypedDict):
    #: Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
    id: str
    type: Literal["engagement.recorded"]
    #: Date of the contract; informational
    apiVersion: str
    #: When the event was created, not when this attempt was sent
    createdAt: DateTime
    #: Id of the workspace, as `company.id` in the status response
    companyId: int
    data: EngagementEvent


class CallSummaryCreatedEvent(TypedDict):
    #: Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
    id: str
    type: Literal["call.summary.created"]
    #: Date of the contract; informational
    apiVersion: str
    #: When the event was created, not when this attempt was sent
    createdAt: DateTime
    #: Id of the workspace, as `company.id` in the status response
    companyId: int
    data: Call


class DecisionRoomUpdatedEvent(TypedDict):
    #: Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
    id: str
    type: Literal["decision_room.updated"]
    #: Date of the contract; informational
    apiVersion: str
    #: When the event was created, not when this attempt was sent
    createdAt: DateTime
    #: Id of the workspace, as `company.id` in the status response
    companyId: int
    data: Room


class DecisionRoomEsignUpdatedEvent(TypedDict):
    #: Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
    id: str
    type: Literal["decision_room.esign.updated"]
    #: Date of the contract; informational
    apiVersion: str
    #: When the event was created, not when this attempt was sent
    createdAt: DateTime
    #: Id of the workspace, as `company.id` in the status response
    companyId: int
    data: DecisionRoomEsignUpdatedEventData


class DecisionRoomEsignUpdatedEventData(TypedDict):
    buyerSpaceId: str
    document: EsignDocument


class DecisionRoomCreatedEvent(TypedDict):
    #: Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
    id: str
    type: Literal["decision_room.created"]
    #: Date of the contract; informational
    apiVersion: str
    #: When the event was created, not when this attempt was sent
    createdAt: DateTime
    #: Id of the workspace, as `company.id` in the status response
    companyId: int
    data: Room


class CallRecordedEvent(TypedDict):
    #: Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
    id: str
    type: Literal["call.recorded"]
    #: Date of the contract; informational
    apiVersion: str
    #: When the event was created, not when this attempt was sent
    createdAt: DateTime
    #: Id of the workspace, as `company.id` in the status response
    companyId: int
    data: Call


class EngagementViewRecordedEvent(TypedDict):
    #: Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
    id: str
    type: Literal["engagement.view.recorded"]
    #: Date of the contract; informational
    apiVersion: str
    #: When the event was created, not when this attempt was sent
    createdAt: DateTime
    #: Id of the workspace, as `company.id` in the status response
    companyId: int
    data: EngagementView


class PersonErasedEvent(TypedDict):
    #: Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
    id: str
    type: Literal["person.erased"]
    #: Date of the contract; informational
    apiVersion: str
    #: When the event was created, not when this attempt was sent
    createdAt: DateTime
    #: Id of the workspace, as `company.id` in the status response
    companyId: int
    data: Erasure


class RoomErasedEvent(TypedDict):
    #: Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
    id: str
    type: Literal["room.erased"]
    #: Date of the contract; informational
    apiVersion: str
    #: When the event was created, not when this attempt was sent
    createdAt: DateTime
    #: Id of the workspace, as `company.id` in the status response
    companyId: int
    data: Erasure


class WebhookEndpointDisabledEvent(TypedDict):
    #: Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
    id: str
    type: Literal["webhook.endpoint.disabled"]
    #: Date of the contract; informational
    apiVersion: str
    #: When the event was created, not when this attempt was sent
    createdAt: DateTime
    #: Id of the workspace, as `company.id` in the status response
    companyId: int
    data: WebhookEndpointDisabledEventData


class WebhookEndpointDisabledEventData(TypedDict):
    endpointId: int
    #: Host and port of its URL. The rest of the URL may be a secret of that receiver
    host: str
    #: Open enumeration: new values may appear. `failures`: too many failed attempts in a row. `gone`: the
    #: receiver responded with 410
    reason: str
    #: The reason as a text, as the endpoint returns it
    disabledReason: str
    disabledAt: DateTime
    consecutiveFailures: int


class IntegrationPingEvent(TypedDict):
    #: Id of the event. It is the same for every endpoint and every retry, so use it to discard duplicates
    id: str
    type: Literal["integration.ping"]
    #: Date of the contract; informational
    apiVersion: str
    #: When the event was created, not when this attempt was sent
    createdAt: DateTime
    #: Id of the workspace, as `company.id` in the status response
    companyId: int
    data: IntegrationPingEventData


class IntegrationPingEventData(TypedDict):
    endpointId: int
    message: str
