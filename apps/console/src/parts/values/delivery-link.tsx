import type { ReactNode } from 'react';
import { PageLink } from '../lists/page-links.tsx';

/** A link to the page of a delivery. */
export function DeliveryLink({ id, children }: { id: string; children: ReactNode }) {
  const page: string = `/deliveries/${id}`;
  return (
    <PageLink to={page} size="sm">
      {children}
    </PageLink>
  );
}
