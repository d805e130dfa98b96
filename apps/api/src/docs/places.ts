/** Where the pages are. Absolute, because `/api/v1/docs` and `/api/v1/docs/` show the same page. */
export const DOCS_PATH = '/api/v1/docs';

/** The OpenAPI document for programs. */
export const DESCRIPTION_PATH = '/api/v1/openapi.json';
