/** The workspace that most tests need: their only one. */
export const COMPANY = 1;

/** A UUID that a reader recognises by its number. */
export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A moment that a reader recognises: `n` seconds into 2026. */
export const second = (n: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, n));
