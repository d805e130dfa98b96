// Generated from the OpenAPI description of the API by `pnpm generate`. Do not edit.

export const EVENTS = {
  "engagement.recorded": {
    "meaning": "a prospect did something in a room",
    "object": "event",
    "objectField": null
  },
  "call.summary.created": {
    "meaning": "a call has a summary",
    "object": "call",
    "objectField": null
  },
  "decision_room.updated": {
    "meaning": "a room changed",
    "object": "room",
    "objectField": null
  },
  "decision_room.esign.updated": {
    "meaning": "a contract of a room changed its status",
    "object": "esign",
    "objectField": "document"
  },
  "decision_room.created": {
    "meaning": "a room was created",
    "object": "room",
    "objectField": null
  },
  "call.recorded": {
    "meaning": "a call was recorded",
    "object": "call",
    "objectField": null
  },
  "engagement.view.recorded": {
    "meaning": "a prospect watched a recording or read a document",
    "object": "view",
    "objectField": null
  },
  "person.erased": {
    "meaning": "a person was erased",
    "object": "erasure",
    "objectField": null
  },
  "room.erased": {
    "meaning": "a room was erased",
    "object": "erasure",
    "objectField": null
  },
  "webhook.endpoint.disabled": {
    "meaning": "an endpoint was disabled",
    "object": null,
    "objectField": null
  },
  "integration.ping": {
    "meaning": "an admin tests an endpoint",
    "object": null,
    "objectField": null
  }
} as const;
