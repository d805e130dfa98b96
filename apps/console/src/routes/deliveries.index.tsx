import { createFileRoute } from '@tanstack/react-router';
import { DeliveryLog } from '../deliveries/delivery-log.tsx';
import { readDeliverySearch } from '../deliveries/delivery-search.ts';
import { FilterBar } from '../deliveries/filter-bar.tsx';
import { PageHead } from '../parts/page-head.tsx';

export const Route = createFileRoute('/deliveries/')({
  validateSearch: readDeliverySearch,
  component: Deliveries,
});

function Deliveries() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const clear = () => void navigate({ search: {}, replace: true });
  return (
    <>
      <PageHead title="Deliveries">Every delivery to an endpoint, newest first, with live updates.</PageHead>
      <div className="panel">
        <FilterBar
          search={search}
          change={(filters) =>
            void navigate({ search: readDeliverySearch({ ...search, ...filters }), replace: true })
          }
          clear={clear}
          open={(deliveryId) => void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId } })}
        />
        <DeliveryLog search={search} clear={clear} />
      </div>
    </>
  );
}
